#include "tune/contest/runs_so_far.h"

#include <algorithm>
#include <utility>

namespace autoschedule_gpu {

RunsSoFar::RunsSoFar(std::vector<std::optional<ContestRun>> of_earlier_calls) {
    for (std::optional<ContestRun> &run : of_earlier_calls) {
        places_.push_back({.run = std::move(run), .is_of_earlier_call = true});
    }
}

std::optional<size_t> RunsSoFar::next() const {
    const auto found = std::ranges::find_if(places_, &Place::is_to_come);
    if (found == places_.end()) return std::nullopt;
    return static_cast<size_t>(found - places_.begin());
}

int RunsSoFar::to_come() const {
    return static_cast<int>(std::ranges::count_if(places_, &Place::is_to_come));
}

std::vector<size_t> RunsSoFar::add(size_t place, ContestRun run) {
    std::vector<size_t> to_come_again;
    for (size_t i = 0; i < places_.size(); ++i) {
        const Place &other = places_[i];
        if (!other.run || !other.is_of_earlier_call || other.run->device == run.device) continue;
        places_[i] = {};
        to_come_again.push_back(i);
    }
    places_[place] = {.run = std::move(run)};
    return to_come_again;
}

void RunsSoFar::add(size_t place, FailedRun run) {
    places_[place] = {.failed = std::move(run)};
}

std::vector<ContestRun> RunsSoFar::made() const {
    std::vector<ContestRun> runs;
    for (const Place &place : places_) {
        if (place.run) runs.push_back(*place.run);
    }
    return runs;
}

std::vector<FailedRun> RunsSoFar::failed() const {
    std::vector<FailedRun> runs;
    for (const Place &place : places_) {
        if (place.failed) runs.push_back(*place.failed);
    }
    return runs;
}

}  // namespace autoschedule_gpu
