// Processes that a test starts and ends. A store must not be open in the test when it forks.
#pragma once

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace autoschedule_gpu {

// A forked process, whose lines come through a pipe.
class Child {
public:
    // `body` gets a function that sends a line; the process ends when it returns.
    using Tell = std::function<void(const std::string &)>;
    explicit Child(const std::function<void(const Tell &)> &body) {
        int ends[2];
        if (pipe(ends) != 0) std::abort();
        pid_ = fork();
        if (pid_ == 0) {
            close(ends[0]);
            body([&](const std::string &line) {
                const std::string text = line + "\n";
                if (write(ends[1], text.data(), text.size()) < 0) _exit(3);
            });
            _exit(0);
        }
        close(ends[1]);
        lines_ = ends[0];
    }
    Child(Child &&other) noexcept : pid_(other.pid_), lines_(std::exchange(other.lines_, -1)) {}
    ~Child() {
        if (lines_ < 0) return;
        kill();
        (void)lines();
    }

    // Or for its end.
    void wait_for_a_line() const {
        pollfd waiting{.fd = lines_, .events = POLLIN, .revents = 0};
        (void)poll(&waiting, 1, -1);
    }
    void kill() const { ::kill(pid_, SIGKILL); }

    // Waits for its end. The whole lines that it sent before.
    std::vector<std::string> lines() {
        std::string text;
        char bytes[4096];
        for (ssize_t count = 0; (count = read(lines_, bytes, sizeof bytes)) > 0;) {
            text.append(bytes, static_cast<size_t>(count));
        }
        close(std::exchange(lines_, -1));
        waitpid(pid_, &status_, 0);
        std::vector<std::string> lines;
        std::istringstream rest(text.substr(0, text.rfind('\n') + 1));
        for (std::string line; std::getline(rest, line);) lines.push_back(line);
        return lines;
    }
    // After lines(): whether it ended by itself and well.
    bool ended_well() const { return WIFEXITED(status_) && WEXITSTATUS(status_) == 0; }

private:
    pid_t pid_ = -1;
    int lines_ = -1;
    int status_ = 0;
};

}  // namespace autoschedule_gpu
