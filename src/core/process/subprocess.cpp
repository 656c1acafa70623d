#include "core/process/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "core/process/guardian.h"
#include "core/process/pipe.h"

namespace autoschedule_gpu {

namespace {

using Clock = std::chrono::steady_clock;

Error cannot_start(const std::string &program, int code) {
    return Error{"cannot start " + program + ": " + std::strerror(code)};
}

// What a child needs to become a program.
struct ChildEnds {
    int out, err;
    int go;      // a byte comes when it may begin
    int failed;  // closed by a successful exec; otherwise errno is written to it
};

// Runs in the child between fork and exec, where only async-signal-safe calls are allowed.
[[noreturn]] void become_program(char *const *argv, const ChildEnds &ends, pid_t parent) {
    const auto give_up = [&] {
        const int code = errno;
        [[maybe_unused]] const ssize_t ignored = write(ends.failed, &code, sizeof code);
        _exit(127);
    };
    setpgid(0, 0);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up();
    if (getppid() != parent) _exit(127);  // the parent ended before prctl took effect
    signal(SIGCHLD, SIG_DFL);             // what is ignored here would be ignored there
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const int in = open("/dev/null", O_RDONLY);
    if (in < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(ends.out, STDOUT_FILENO) < 0 ||
        dup2(ends.err, STDERR_FILENO) < 0) {
        give_up();
    }
    if (in > STDERR_FILENO) close(in);
    char begin = 0;
    ssize_t count = 0;
    while ((count = read(ends.go, &begin, 1)) < 0 && errno == EINTR) {
    }
    if (count != 1) _exit(127);  // the parent has ended
    execvp(argv[0], argv);
    give_up();
    _exit(127);
}

void wait_for_end(pid_t child) {
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
}

// Returns the child's process id once exec has succeeded; an error if it has not. The program
// begins when its group is guarded: it could have started others before.
Result<pid_t> start(const std::vector<std::string> &arguments, const Pipe &out, const Pipe &err,
                    Guardian &guardian) {
    std::vector<char *> argv;
    for (const std::string &argument : arguments) {
        argv.push_back(const_cast<char *>(argument.c_str()));
    }
    argv.push_back(nullptr);
    Pipe reason, go;
    if (!reason.open_ends() || !go.open_ends()) return cannot_start(arguments[0], errno);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) return cannot_start(arguments[0], errno);
    if (child == 0) {
        become_program(argv.data(),
                       {out.write.get(), err.write.get(), go.read.get(), reason.write.get()},
                       parent);
    }
    // Parent and child both set the group, so that it exists before either can be told to kill it.
    setpgid(child, child);
    if (!guardian.watch_over(child) || write(go.write.get(), "", 1) != 1) {
        const int why = errno;
        kill(child, SIGKILL);
        wait_for_end(child);
        return cannot_start(arguments[0], why);
    }
    reason.write.close_now();
    int code = 0;
    ssize_t count = 0;
    while ((count = read(reason.read.get(), &code, sizeof code)) < 0 && errno == EINTR) {
    }
    if (count != sizeof code) return child;
    wait_for_end(child);
    return cannot_start(arguments[0], code);
}

// Reads what is available without blocking, and closes the descriptor at the end of the file.
void drain(Descriptor &from, std::string &to) {
    std::array<char, 65536> buffer;
    while (from.is_open()) {
        const ssize_t count = read(from.get(), buffer.data(), buffer.size());
        if (count > 0) {
            const size_t room = kMaxCapturedBytes - std::min(kMaxCapturedBytes, to.size());
            to.append(buffer.data(), std::min(static_cast<size_t>(count), room));
        } else if (count < 0 && errno == EINTR) {
            continue;
        } else {
            if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) from.close_now();
            return;
        }
    }
}

// Returns true if the child has ended. It stays a zombie until finish(), so that the id of its
// process group cannot be reused before the group is killed. Where this process ignores SIGCHLD, or
// waits for any child elsewhere, it is already gone.
bool has_ended(pid_t child) {
    siginfo_t info{};
    const int failed = waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
    return failed != 0 ? errno == ECHILD : info.si_pid == child;
}

void wait_for_output(const Pipe &out, const Pipe &err, std::chrono::milliseconds at_most) {
    std::array<pollfd, 2> descriptors{};
    nfds_t count = 0;
    for (const Pipe *pipe : {&out, &err}) {
        if (pipe->read.is_open()) descriptors[count++] = {pipe->read.get(), POLLIN, 0};
    }
    poll(descriptors.data(), count, static_cast<int>(at_most.count()));
}

// Returns the peak of the program's resident memory so far; 0 if the system does not tell.
int64_t peak_memory_of(pid_t child) {
    constexpr std::string_view kPeak = "VmHWM:";
    std::ifstream status("/proc/" + std::to_string(child) + "/status");
    for (std::string line; std::getline(status, line);) {
        if (!line.starts_with(kPeak)) continue;
        const size_t first = std::min(line.find_first_of("0123456789"), line.size());
        int64_t kilobytes = 0;
        std::from_chars(line.data() + first, line.data() + line.size(), kilobytes);
        return kilobytes * 1024;
    }
    return 0;
}

int64_t own_peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * 1024;
}

// Watches a running program until it ends or has to be ended.
class Watch {
public:
    Watch(pid_t child, std::chrono::milliseconds timeout, int64_t memory_limit_bytes)
        : child_(child),
          memory_limit_bytes_(memory_limit_bytes),
          own_peak_bytes_(own_peak_memory()),
          start_(Clock::now()),
          deadline_(start_ + timeout) {}

    // Returns true if the program is to be killed now: it is over its memory limit or out of time.
    bool must_stop() {
        seen_peak_bytes_ = std::max(seen_peak_bytes_, peak_memory_of(child_));
        if (memory_limit_bytes_ > 0 && seen_peak_bytes_ > memory_limit_bytes_) {
            stopped_ = ProcessEnd::out_of_memory;
        } else if (Clock::now() >= deadline_) {
            stopped_ = ProcessEnd::timed_out;
        }
        return stopped_ != ProcessEnd::exited;
    }

    // An error if somebody else has taken the program's status.
    Result<ProcessResult> finish(ProcessResult result) const {
        kill(-child_, SIGKILL);
        int status = 0;
        rusage usage{};
        pid_t waited = 0;
        while ((waited = wait4(child_, &status, 0, &usage)) < 0 && errno == EINTR) {
        }
        if (waited < 0 && stopped_ == ProcessEnd::exited) {
            return Error{
                "it is not known how the program ended: this process ignores SIGCHLD, or waits for "
                "all its children elsewhere"};
        }
        result.wall_s = std::chrono::duration<double>(Clock::now() - start_).count();
        const int64_t system_peak_bytes = usage.ru_maxrss * 1024;
        const bool is_its_own = system_peak_bytes > own_peak_bytes_ || seen_peak_bytes_ == 0;
        result.peak_memory_bytes = is_its_own ? system_peak_bytes : seen_peak_bytes_;
        if (stopped_ != ProcessEnd::exited) {
            result.end = stopped_;
        } else if (WIFSIGNALED(status)) {
            result.end = ProcessEnd::killed_by_signal;
            result.code = WTERMSIG(status);
        } else {
            result.code = WEXITSTATUS(status);
        }
        return result;
    }

private:
    pid_t child_;
    int64_t memory_limit_bytes_;
    int64_t own_peak_bytes_;
    Clock::time_point start_;
    Clock::time_point deadline_;
    int64_t seen_peak_bytes_ = 0;
    ProcessEnd stopped_ = ProcessEnd::exited;
};

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./,:=+-@%").find(c) != std::string_view::npos;
}

}  // namespace

Result<ProcessResult> run_process(const std::vector<std::string> &arguments,
                                  std::chrono::milliseconds timeout, int64_t memory_limit_bytes) {
    if (arguments.empty()) return Error{"cannot start a program without a name"};
    Pipe out, err;
    if (!out.open_ends() || !err.open_ends()) return cannot_start(arguments[0], errno);
    for (const Pipe *pipe : {&out, &err}) fcntl(pipe->read.get(), F_SETFL, O_NONBLOCK);
    Guardian guardian;
    const Result<pid_t> child = start(arguments, out, err, guardian);
    if (!child) return child.error();
    Watch watch(*child, timeout, memory_limit_bytes);
    out.write.close_now();
    err.write.close_now();

    // The pause starts short and grows up to 20 ms. Polling is needed because nothing wakes poll()
    // when a program that has closed its output ends, or when it ends and its children keep the
    // output open.
    std::chrono::milliseconds pause{1};
    ProcessResult result;
    while (true) {
        const bool ended = has_ended(*child);
        drain(out.read, result.out);
        drain(err.read, result.err);
        if (ended || watch.must_stop()) return watch.finish(std::move(result));
        wait_for_output(out, err, pause);
        pause = std::min(pause * 2, std::chrono::milliseconds{20});
    }
}

std::string shell_text(const std::vector<std::string> &arguments) {
    std::string text;
    for (const std::string &argument : arguments) {
        if (!text.empty()) text += ' ';
        if (!argument.empty() && std::all_of(argument.begin(), argument.end(), is_plain)) {
            text += argument;
            continue;
        }
        text += '\'';
        for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        text += '\'';
    }
    return text;
}

}  // namespace autoschedule_gpu
