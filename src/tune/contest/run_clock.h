// When a run had made how many trials. It is kept in a file while the run goes on, so that one
// which was interrupted goes on from there: the time in between does not count, and neither does
// what is known already.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/support/error.h"
#include "core/support/stopwatch.h"

namespace autoschedule_gpu {

class RunClock {
public:
    // Goes on from what the file holds, if it is there and of a run of those settings, which are
    // those of its trials. A file that is no such thing is an error.
    static Result<RunClock> open(const std::string &path, const std::string &settings);
    // Runs no more: for replays, whose times are those of the run that is replayed.
    static Result<RunClock> read(const std::string &path);

    // Begins anew where its times are of another device: nothing that was measured there is known
    // here. Before it is known which one it is, the name is empty.
    void run_on(const std::string &device);

    // Notes that so many trials have been made, and all that was to be done for them is done.
    // Errors: the file can't be written.
    Status tell(int trials);

    // Returns the seconds after which so many trials had been made; 0 if that is not known.
    double seconds_at(int trials) const;

    bool is_new() const { return marks_.empty(); }

private:
    struct Mark {
        int trials = 0;
        double seconds = 0;
    };

    RunClock(std::string path, std::string settings)
        : path_(std::move(path)), settings_(std::move(settings)) {}
    static Result<RunClock> parse(const std::string &path);

    std::string path_, settings_, device_;
    bool runs_ = true;
    std::vector<Mark> marks_;  // both grow
    int known_ = 0;            // trials of the call before
    Stopwatch since_last_;
};

}  // namespace autoschedule_gpu
