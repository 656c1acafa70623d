#include "measure/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

extern char **environ;

namespace autoschedule_gpu {

namespace {

using Clock = std::chrono::steady_clock;

class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() { close_now(); }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    Descriptor &operator=(Descriptor &&other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }

    int get() const { return fd_; }
    bool is_open() const { return fd_ >= 0; }
    void close_now() {
        if (fd_ >= 0) close(fd_);
        fd_ = -1;
    }

private:
    int fd_ = -1;
};

struct Pipe {
    Descriptor read, write;

    // Both ends are closed in the program; the copies that it is given as 1 and 2 are not.
    bool open_ends() {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
        read = Descriptor(ends[0]);
        write = Descriptor(ends[1]);
        return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
    }
};

struct SpawnSettings {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;

    SpawnSettings(int out, int err) {
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
        posix_spawnattr_init(&attributes);
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    }
    ~SpawnSettings() {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnSettings(const SpawnSettings &) = delete;
    SpawnSettings &operator=(const SpawnSettings &) = delete;
};

Error cannot_start(const std::string &program, int code) {
    return Error{"cannot start " + program + ": " + std::strerror(code)};
}

// Reads what is there; closes the descriptor at its end.
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

// The child is left a zombie until finish() so that its process group cannot be another's by then.
bool has_ended(pid_t child) {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child;
}

void wait_for_output(const Pipe &out, const Pipe &err, std::chrono::milliseconds at_most) {
    std::array<pollfd, 2> descriptors{};
    nfds_t count = 0;
    for (const Pipe *pipe : {&out, &err}) {
        if (pipe->read.is_open()) descriptors[count++] = {pipe->read.get(), POLLIN, 0};
    }
    poll(descriptors.data(), count, static_cast<int>(at_most.count()));
}

ProcessResult finish(pid_t child, bool timed_out, ProcessResult result) {
    kill(-child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (timed_out) {
        result.end = ProcessEnd::timed_out;
    } else if (WIFSIGNALED(status)) {
        result.end = ProcessEnd::killed_by_signal;
        result.code = WTERMSIG(status);
    } else {
        result.code = WEXITSTATUS(status);
    }
    return result;
}

}  // namespace

Result<ProcessResult> run_process(const std::vector<std::string> &arguments,
                                  std::chrono::milliseconds timeout) {
    if (arguments.empty()) return Error{"cannot start a program without a name"};
    Pipe out, err;
    if (!out.open_ends() || !err.open_ends()) return cannot_start(arguments[0], errno);
    std::vector<char *> argv;
    for (const std::string &argument : arguments) {
        argv.push_back(const_cast<char *>(argument.c_str()));
    }
    argv.push_back(nullptr);

    pid_t child = 0;
    const Clock::time_point deadline = Clock::now() + timeout;
    {
        const SpawnSettings settings(out.write.get(), err.write.get());
        const int code = posix_spawnp(&child, argv[0], &settings.actions, &settings.attributes,
                                      argv.data(), environ);
        if (code != 0) return cannot_start(arguments[0], code);
    }
    out.write.close_now();
    err.write.close_now();

    // Short at first and then longer: nothing wakes poll when a program that has closed its output
    // ends, or when it ends and its children keep the output open.
    std::chrono::milliseconds pause{1};
    ProcessResult result;
    while (true) {
        const bool ended = has_ended(child);
        drain(out.read, result.out);
        drain(err.read, result.err);
        const bool timed_out = !ended && Clock::now() >= deadline;
        if (ended || timed_out) return finish(child, timed_out, std::move(result));
        wait_for_output(out, err, pause);
        pause = std::min(pause * 2, std::chrono::milliseconds{20});
    }
}

}  // namespace autoschedule_gpu
