// Work in a fork of this process, which reports a text and ends. Halide's process-wide counters of
// temporary names do not advance here.
//
// A fork has one thread, and the locks that other threads held stay locked in it for ever. A child
// that has fallen asleep for such a lock (child_watch.h) is killed. Only the child itself is waited
// for; signal handlers and other children of the process are left alone.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/process/pipe.h"

namespace autoschedule_gpu {

struct Ended {
    std::string text;           // all that the child has reported
    std::optional<int> status;  // none where this process ignores SIGCHLD, or waits for any child
};
struct OutOfTime {};
struct Asleep {};  // for ever
struct NotForked {
    int code;  // errno
};
using ApartOutcome = std::variant<Ended, OutOfTime, Asleep, NotForked>;

// `work` must not throw. What it prints goes nowhere.
using ApartWork = std::function<std::string()>;
ApartOutcome text_from_child(const ApartWork &work, double time_limit_s);

// The same of several, each in a child of its own, all at once and in their order.
std::vector<ApartOutcome> texts_from_children(const std::vector<ApartWork> &works,
                                              double time_limit_s);

// "crashed (signal 11)", "ended the process (status 1)": of one that has reported no sense.
std::string ending_text(std::optional<int> status);

// A fork that goes on where this process is, to do half of the work. It never leaves the scope of
// this object: it ends when it has reported, or, by an exception, without.
class Twin {
public:
    Twin() = default;
    ~Twin();
    Twin(const Twin &) = delete;
    Twin &operator=(const Twin &) = delete;

    // Returns in both. Once.
    enum class Side : uint8_t { alone, first, second };  // `alone`: no process can be forked
    Side fork_now();
    Side side() const { return side_; }

    [[noreturn]] void report(const std::string &text);  // by the second
    ApartOutcome hear(double time_limit_s);             // by the first, once

private:
    Side side_ = Side::alone;
    Pipe report_;
    pid_t second_ = -1;  // while there is one
};

}  // namespace autoschedule_gpu
