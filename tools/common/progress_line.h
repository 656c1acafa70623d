// Progress of long work on stderr: one line that is rewritten on a terminal, and cut where that
// ends, else a line per step.
#pragma once

#include <optional>
#include <string>

#include "core/support/stopwatch.h"

namespace autoschedule_gpu {

struct TimeLeft {
    double seconds = 0;
    bool is_least = false;     // more may turn out to be necessary
    std::string of_what = {};  // "5 s compiling, 9 s running"; may be empty
};

class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine() { clear(); }

    // Shows that `done` of `total` steps are over and that `doing` begins. The time left is
    // estimated from the mean of the steps so far, unless somebody knows better: `left`.
    void show(int done, int total, const std::string &doing, std::optional<TimeLeft> left = {});

    // Shows a line that stays, between the others.
    void say(const std::string &text);

    // After so many seconds a line that is still true is worth showing again.
    double repeat_after_s() const { return terminal_ ? 1 : 8; }

    // Removes the line; call this before other output.
    void clear();

private:
    bool terminal_;
    bool shown_ = false;
    Stopwatch watch_;
};

}  // namespace autoschedule_gpu
