// Work in a fork of this process, which reports a text and ends. Halide's process-wide counters of
// temporary names do not advance here.
//
// A fork has one thread, and the locks that other threads held stay locked in it for ever. A child
// that has fallen asleep for such a lock (child_watch.h) is killed. Only the child itself is waited
// for; signal handlers and other children of the process are left alone.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

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

}  // namespace autoschedule_gpu
