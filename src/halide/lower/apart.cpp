#include "halide/lower/apart.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <utility>

#include "core/process/pipe.h"
#include "halide/lower/child_watch.h"

namespace autoschedule_gpu {
namespace {

void write_all(int file, const std::string &text) {
    for (size_t done = 0; done < text.size();) {
        const ssize_t n = write(file, text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        done += static_cast<size_t>(n);
    }
}

using Clock = std::chrono::steady_clock;

// Everything that the child writes until it ends.
using Heard = std::variant<std::string, OutOfTime, Asleep>;

// Whoever waits for it still finds it.
bool has_ended(pid_t child) {
    siginfo_t info{};
    const int found = waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
    return found == 0 ? info.si_pid == child : errno == ECHILD;
}

// The end of the child's end of the pipe tells that it has ended, mostly: a process that another
// thread of this one has forked in the meantime may have the same end open, for as long as it
// likes.
Heard read_until_end(int file, pid_t child, Clock::time_point deadline) {
    constexpr int64_t kLookEveryMs = 250;
    ChildWatch watch(child);
    std::string text;
    bool ended = false;
    while (true) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd waiting{file, POLLIN, 0};
        const int ready = poll(
            &waiting, 1, ended ? 0 : static_cast<int>(std::clamp<int64_t>(left, 0, kLookEveryMs)));
        if (ready == 0 && ended) return text;
        if (ready == 0) ended = has_ended(child);
        // What has been said by then counts, for whoever hears it may have waited for another.
        if (ready == 0 && !ended && left <= 0) return OutOfTime{};
        if (ready == 0 && !ended && watch.is_asleep()) return Asleep{};
        if (ready <= 0) continue;
        char buffer[4096];
        const ssize_t n = read(file, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return text;
        text.append(buffer, static_cast<size_t>(n));
    }
}

std::optional<int> waited_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return std::nullopt;
    }
    return status;
}

// What a child is before it works.
void become_child(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);  // the parent ended before prctl took effect
    for (int fatal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE}) signal(fatal, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);  // the assembler's exit status is of interest
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
}

ApartOutcome outcome_of(pid_t child, int report, Clock::time_point deadline) {
    Heard heard = read_until_end(report, child, deadline);
    if (!std::holds_alternative<std::string>(heard)) kill(child, SIGKILL);
    const std::optional<int> status = waited_for(child);
    if (std::holds_alternative<OutOfTime>(heard)) return OutOfTime{};
    if (std::holds_alternative<Asleep>(heard)) return Asleep{};
    return Ended{std::get<std::string>(std::move(heard)), status};
}

Clock::time_point after(double time_limit_s) {
    return Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(time_limit_s));
}

class Child {
public:
    void start(const ApartWork &work) {
        if (!report_.open_ends()) {
            not_forked_ = NotForked{errno};
            return;
        }
        const pid_t parent = getpid();
        pid_ = fork();
        if (pid_ < 0) not_forked_ = NotForked{errno};
        if (pid_ == 0) {
            become_child(parent);
            write_all(report_.write.get(), work());
            _exit(0);
        }
        report_.write.close_now();
    }

    ApartOutcome hear(Clock::time_point deadline) {
        if (not_forked_) return *not_forked_;
        return outcome_of(pid_, report_.read.get(), deadline);
    }

private:
    Pipe report_;
    pid_t pid_ = -1;
    std::optional<NotForked> not_forked_;
};

}  // namespace

std::vector<ApartOutcome> texts_from_children(const std::vector<ApartWork> &works,
                                              double time_limit_s) {
    const auto deadline = after(time_limit_s);
    std::vector<Child> children(works.size());
    for (size_t i = 0; i < works.size(); ++i) children[i].start(works[i]);
    std::vector<ApartOutcome> outcomes;
    for (Child &child : children) outcomes.push_back(child.hear(deadline));
    return outcomes;
}

ApartOutcome text_from_child(const ApartWork &work, double time_limit_s) {
    return std::move(texts_from_children({work}, time_limit_s).front());
}

std::string ending_text(std::optional<int> status) {
    if (!status) return "ended the process";
    if (WIFSIGNALED(*status)) return "crashed (signal " + std::to_string(WTERMSIG(*status)) + ")";
    return "ended the process (status " + std::to_string(WEXITSTATUS(*status)) + ")";
}

Twin::~Twin() {
    if (side_ == Side::second) _exit(1);
    if (second_ <= 0) return;
    kill(second_, SIGKILL);
    waited_for(second_);
}

Twin::Side Twin::fork_now() {
    if (!report_.open_ends()) return side_;
    const pid_t parent = getpid();
    second_ = fork();
    if (second_ < 0) return side_;
    side_ = second_ == 0 ? Side::second : Side::first;
    if (side_ == Side::second) become_child(parent);
    if (side_ == Side::first) report_.write.close_now();
    return side_;
}

void Twin::report(const std::string &text) {
    write_all(report_.write.get(), text);
    _exit(0);
}

ApartOutcome Twin::hear(double time_limit_s) {
    return outcome_of(std::exchange(second_, -1), report_.read.get(), after(time_limit_s));
}

}  // namespace autoschedule_gpu
