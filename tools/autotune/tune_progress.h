// Shows on stderr how far a tuning run has come, and puts its result into words.
#pragma once

#include <string>

#include "common/live_line.h"
#include "tune/run/tuning_run.h"

namespace autoschedule_gpu {

class TuneProgress {
public:
    explicit TuneProgress(std::string name);

    // Shows a line like "12/81, 40 s so far, about 3 min left: harris: best 1.2 ms, untuned 1.5 ms;
    // trying 8 schedules (12 measured, 0 failed); left: ...".
    void show(const TuneState &state);
    void say(const std::string &text) { line_.say(text); }
    void end() { line_.end(); }

private:
    std::string name_;
    LiveLine line_;
};

// `records`: the file that has what was measured.
std::string text_of(const TuneResult &result, const std::string &records);

}  // namespace autoschedule_gpu
