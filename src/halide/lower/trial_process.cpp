#include "halide/lower/trial_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>
#include <sstream>
#include <utility>
#include <variant>

#include "core/process/pipe.h"
#include "halide/lower/child_watch.h"

namespace autoschedule_gpu {

namespace {

// Returns what the child writes: a line "error" and then the message; or a line "kernels", a line
// with the error of the code check, and per kernel a line of eleven numbers and one with its name.
std::string serialise(const Result<TrialLowering> &result) {
    if (!result) return "error\n" + result.error().message;
    std::ostringstream out;
    std::string check = result->code_check_error;
    std::replace(check.begin(), check.end(), '\n', ' ');
    out << "kernels\n" << check << '\n';
    for (const KernelLaunch &kernel : result->kernels) {
        for (int64_t blocks : kernel.blocks) out << blocks << ' ';
        for (int64_t threads : kernel.threads) out << threads << ' ';
        out << kernel.shared_bytes << ' ' << kernel.at_estimates << ' ' << kernel.live_words << ' ' << kernel.registers << ' '
            << kernel.spill_bytes << '\n'
            << kernel.name << '\n';
    }
    return out.str();
}

std::optional<Result<TrialLowering>> parse(const std::string &text) {
    std::istringstream in(text);
    std::string kind;
    if (!std::getline(in, kind)) return std::nullopt;
    if (kind == "error") return Error{text.substr(kind.size() + 1)};
    if (kind != "kernels") return std::nullopt;
    TrialLowering lowered;
    std::getline(in, lowered.code_check_error);
    KernelLaunch kernel;
    while (in >> kernel.blocks[0] >> kernel.blocks[1] >> kernel.blocks[2] >> kernel.threads[0] >>
           kernel.threads[1] >> kernel.threads[2] >> kernel.shared_bytes >> kernel.at_estimates >>
           kernel.live_words >> kernel.registers >> kernel.spill_bytes) {
        in.ignore();
        std::getline(in, kernel.name);
        lowered.kernels.push_back(kernel);
    }
    return lowered;
}

void write_all(int file, const std::string &text) {
    for (size_t done = 0; done < text.size();) {
        const ssize_t n = write(file, text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        done += static_cast<size_t>(n);
    }
}

struct OutOfTime {};
struct Asleep {};  // for ever
struct NotForked {
    int code;
};
using Outcome = std::variant<Result<TrialLowering>, OutOfTime, Asleep, NotForked>;

// Everything that the child writes until it closes its end.
using Heard = std::variant<std::string, OutOfTime, Asleep>;

Heard read_until_closed(int file, pid_t child, double time_limit_s) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::duration<double>(time_limit_s);
    ChildWatch watch(child);
    std::string text;
    while (true) {
        if (Clock::now() >= deadline) return OutOfTime{};
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd waiting{file, POLLIN, 0};
        const int ready = poll(&waiting, 1, static_cast<int>(std::clamp<int64_t>(left, 1, 250)));
        if (ready == 0 && watch.is_asleep()) return Asleep{};
        if (ready <= 0) continue;
        char buffer[4096];
        const ssize_t n = read(file, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return text;
        text.append(buffer, static_cast<size_t>(n));
    }
}

// `status`: none where this process ignores SIGCHLD, or waits for any child elsewhere.
std::string ending(std::optional<int> status) {
    const std::string where = " while lowering the schedule";
    if (!status) return "Halide ended the process" + where;
    if (WIFSIGNALED(*status)) {
        return "Halide crashed" + where + " (signal " + std::to_string(WTERMSIG(*status)) + ")";
    }
    return "Halide ended the process" + where + " (status " +
           std::to_string(WEXITSTATUS(*status)) + ")";
}

std::optional<int> waited_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return std::nullopt;
    }
    return status;
}

// No exception may leave a trial: in a child it would run through the host's own code.
template <typename Lower>
Result<TrialLowering> caught(const Lower &lower) {
    try {
        return lower();
    } catch (const std::bad_alloc &) {
        return Error{"there is not enough memory to lower the schedule"};
    } catch (const std::exception &error) {
        return Error{std::string("the schedule can't be lowered: ") + error.what()};
    } catch (...) {
        return Error{"the schedule can't be lowered, for an unknown reason"};
    }
}

// What the child does.
template <typename Lower>
[[noreturn]] void lower_and_report(const Lower &lower, int report, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);  // the parent ended before prctl took effect
    for (int fatal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE}) signal(fatal, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);  // the assembler's exit status is of interest
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    write_all(report, serialise(caught(lower)));
    _exit(0);
}

template <typename Lower>
Outcome lower_apart(const Lower &lower, double time_limit_s) {
    Pipe report;
    if (!report.open_ends()) return NotForked{errno};
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) return NotForked{errno};
    if (child == 0) lower_and_report(lower, report.write.get(), parent);
    report.write.close_now();
    Heard heard = read_until_closed(report.read.get(), child, time_limit_s);
    const std::string *text = std::get_if<std::string>(&heard);
    if (text == nullptr) kill(child, SIGKILL);
    const std::optional<int> status = waited_for(child);
    if (std::holds_alternative<OutOfTime>(heard)) return OutOfTime{};
    if (std::holds_alternative<Asleep>(heard)) return Asleep{};
    return parse(*text).value_or(Error{ending(status)});
}

}  // namespace

std::optional<Result<TrialLowering>> ApartTrials::lower(const Schedule &schedule,
                                                        const Halide::Pipeline &pipeline,
                                                        const Halide::Target &target,
                                                        double time_limit_s,
                                                        const CodeCheck &check) {
    const auto lower = [&] {
        return trial_lower(schedule, pipeline, target, default_trial_depth(target), check);
    };
    if (record_.in_this_process.empty()) {
        Outcome outcome = lower_apart(lower, time_limit_s);
        if (std::holds_alternative<OutOfTime>(outcome)) {
            ++record_.stopped;
            return std::nullopt;
        }
        if (auto *result = std::get_if<Result<TrialLowering>>(&outcome)) {
            ++record_.made;
            return std::move(*result);
        }
        const auto *failed = std::get_if<NotForked>(&outcome);
        record_.in_this_process =
            failed != nullptr
                ? std::string("no process can be forked: ") + std::strerror(failed->code)
                : "a forked process waits for a lock that another thread of this process held";
    }
    ++record_.made;
    return caught(lower);
}

}  // namespace autoschedule_gpu
