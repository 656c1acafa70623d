#include "halide/lower/trial_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <sstream>

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

// Returns everything the child writes until it closes its end; nullopt if time runs out first.
std::optional<std::string> read_until_closed(int file, double time_limit_s) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::duration<double>(time_limit_s);
    std::string text;
    while (true) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) return std::nullopt;
        pollfd waiting{file, POLLIN, 0};
        const int ready = poll(&waiting, 1, static_cast<int>(std::min<int64_t>(left, 1000)));
        if (ready <= 0) continue;
        char buffer[4096];
        const ssize_t n = read(file, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return text;
        text.append(buffer, static_cast<size_t>(n));
    }
}

std::string ending(int status) {
    if (WIFSIGNALED(status)) {
        return "Halide crashed while lowering the schedule (signal " +
               std::to_string(WTERMSIG(status)) + ")";
    }
    return "Halide ended the process while lowering the schedule (status " +
           std::to_string(WEXITSTATUS(status)) + ")";
}

}  // namespace

Result<TrialLowering> trial_lower_apart(const Schedule &schedule, const Halide::Pipeline &pipeline,
                                        const Halide::Target &target, double time_limit_s,
                                        const CodeCheck &check) {
    const auto lower = [&] {
        return trial_lower(schedule, pipeline, target, default_trial_depth(target), check);
    };
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return lower();
    const pid_t child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return lower();
    }
    if (child == 0) {
        close(ends[0]);
        for (int fatal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE}) signal(fatal, SIG_DFL);
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        write_all(ends[1], serialise(lower()));
        _exit(0);
    }
    close(ends[1]);
    const std::optional<std::string> text = read_until_closed(ends[0], time_limit_s);
    close(ends[0]);
    if (!text) kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!text) {
        return Error{"Halide took longer than " + std::to_string(static_cast<int>(time_limit_s)) +
                     " s to lower the schedule"};
    }
    if (std::optional<Result<TrialLowering>> result = parse(*text)) return *std::move(result);
    return Error{ending(status)};
}

}  // namespace autoschedule_gpu
