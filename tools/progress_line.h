// Progress of long work on stderr: one line that is rewritten where a terminal is, a line per step
// where none is.
#pragma once

#include <string>

#include "support/stopwatch.h"

namespace autoschedule_gpu {

class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine() { clear(); }

    // `done` of `total` steps are over and `doing` begins. The time left is guessed from the mean
    // of the steps so far.
    void show(int done, int total, const std::string &doing);

    // Takes the line away, before other output.
    void clear();

private:
    bool terminal_;
    bool shown_ = false;
    Stopwatch watch_;
};

}  // namespace autoschedule_gpu
