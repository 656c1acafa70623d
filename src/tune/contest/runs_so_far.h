// Which runs of a contest there are, and which are to come, while it is held: those of earlier
// calls count from the beginning, so that whoever looks at a contest that is interrupted sees them
// all.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tune/contest/contest_run.h"

namespace autoschedule_gpu {

class RunsSoFar {
public:
    // What earlier calls have left of each run of the contest, in its order.
    explicit RunsSoFar(std::vector<std::optional<ContestRun>> of_earlier_calls);

    // Returns the place of the first of which nothing is known.
    std::optional<size_t> next() const;
    int to_come() const;

    // Now that it is known what the device is, runs of earlier calls on others are to come again.
    // Returns their places.
    std::vector<size_t> add(size_t place, ContestRun run);
    // It is not to come again.
    void add(size_t place, FailedRun run);

    // In the contest's order.
    std::vector<ContestRun> made() const;
    std::vector<FailedRun> failed() const;

private:
    struct Place {
        std::optional<ContestRun> run = {};
        std::optional<FailedRun> failed = {};
        bool is_of_earlier_call = false;

        bool is_to_come() const { return !run && !failed; }
    };

    std::vector<Place> places_;
};

}  // namespace autoschedule_gpu
