#include "pipelines/isolated.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace autoschedule_gpu::testing {

namespace {

using Clock = std::chrono::steady_clock;

bool write_all(int descriptor, const void *data, size_t size) {
    const char *bytes = static_cast<const char *>(data);
    while (size > 0) {
        const ssize_t written = write(descriptor, bytes, size);
        if (written <= 0) return false;
        bytes += written;
        size -= static_cast<size_t>(written);
    }
    return true;
}

// A forked process and the pipe on which it sends one message (length, bytes) per job.
class Child {
public:
    Child(const std::function<std::string(size_t)> &job, size_t first, size_t last) {
        int ends[2];
        output_ = memfd_create("isolated_output", 0);
        if (output_ < 0 || pipe(ends) != 0) throw std::runtime_error("no pipe for a child process");
        pid_ = fork();
        if (pid_ < 0) throw std::runtime_error("no child process");
        if (pid_ == 0) {
            close(ends[0]);
            serve(job, first, last, ends[1]);
        }
        close(ends[1]);
        results_ = ends[0];
    }
    ~Child() {
        if (pid_ > 0) {
            kill(pid_, SIGKILL);
            waitpid(pid_, nullptr, 0);
        }
        close(results_);
        close(output_);
    }
    Child(const Child &) = delete;
    Child &operator=(const Child &) = delete;

    IsolatedOutcome next(double timeout_s) {
        using Kind = IsolatedOutcome::Kind;
        IsolatedOutcome outcome;
        const auto start = Clock::now();
        const auto deadline = start + std::chrono::duration_cast<Clock::duration>(
                                          std::chrono::duration<double>(timeout_s));
        uint64_t length = 0;
        outcome.kind = receive(&length, sizeof length, deadline);
        if (outcome.kind == Kind::finished) {
            outcome.result.resize(length);
            outcome.kind = receive(outcome.result.data(), length, deadline);
        }
        outcome.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (outcome.kind == Kind::timed_out) outcome.detail = "no result in time";
        if (outcome.kind == Kind::crashed) outcome.detail = cause_of_death();
        if (outcome.kind != Kind::finished) outcome.detail += last_output();
        return outcome;
    }

private:
    [[noreturn]] void serve(const std::function<std::string(size_t)> &job, size_t first,
                            size_t last, int results) const {
        dup2(output_, STDOUT_FILENO);
        dup2(output_, STDERR_FILENO);
        for (size_t i = first; i < last; ++i) {
            const std::string result = job(i);
            const uint64_t length = result.size();
            if (!write_all(results, &length, sizeof length)) break;
            if (!write_all(results, result.data(), length)) break;
        }
        // Destructors of the parent's objects, and of drivers with threads, are not for a child.
        _exit(0);
    }

    IsolatedOutcome::Kind receive(void *data, size_t size, Clock::time_point deadline) {
        using Kind = IsolatedOutcome::Kind;
        char *bytes = static_cast<char *>(data);
        while (size > 0) {
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
            if (left.count() <= 0) return Kind::timed_out;
            pollfd wait{results_, POLLIN, 0};
            const int ready =
                poll(&wait, 1, static_cast<int>(std::min<int64_t>(left.count(), 1000)));
            if (ready <= 0) continue;
            const ssize_t got = read(results_, bytes, size);
            if (got <= 0) return Kind::crashed;
            bytes += got;
            size -= static_cast<size_t>(got);
        }
        return Kind::finished;
    }

    std::string cause_of_death() {
        int status = 0;
        waitpid(pid_, &status, 0);
        pid_ = -1;
        if (WIFSIGNALED(status)) return std::string("killed by ") + strsignal(WTERMSIG(status));
        return "exit status " + std::to_string(WEXITSTATUS(status));
    }

    std::string last_output() const {
        constexpr off_t kKept = 1500;
        const off_t size = lseek(output_, 0, SEEK_END);
        std::string text(static_cast<size_t>(std::min(size, kKept)), '\0');
        const ssize_t got =
            pread(output_, text.data(), text.size(), std::max<off_t>(0, size - kKept));
        text.resize(static_cast<size_t>(std::max<ssize_t>(0, got)));
        return text.empty() ? "" : "; last output: " + text;
    }

    pid_t pid_ = -1;
    int results_ = -1;
    int output_ = -1;
};

}  // namespace

void run_isolated(size_t count, const std::function<std::string(size_t)> &job,
                  const IsolatedOptions &options,
                  const std::function<void(size_t, const IsolatedOutcome &)> &report) {
    for (size_t i = 0; i < count;) {
        const size_t last = std::min(count, i + static_cast<size_t>(options.jobs_per_child));
        Child child(job, i, last);
        bool alive = true;
        while (alive && i < last) {
            const IsolatedOutcome outcome = child.next(options.timeout_s);
            alive = outcome.kind == IsolatedOutcome::Kind::finished;
            report(i++, outcome);
        }
    }
}

}  // namespace autoschedule_gpu::testing
