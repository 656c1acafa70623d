#include "tune/executors/recorded_executor.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/support/stopwatch.h"

namespace autoschedule_gpu {

Result<std::vector<Trial>> RecordedExecutor::build(std::span<const ScheduleRequest> requests) {
    const PhaseTimer timer(times_.build);
    maker_.drop_unlinked();
    const Result<size_t> tries = tries_of(requests);
    if (!tries) return tries.error();
    const int before = maker_.builds();
    Result<std::vector<Trial>> made = maker_.make(requests.first(*tries), predict_, tell_built_);
    times_.builds += maker_.builds() - before;
    if (!made) return made;
    std::vector<Trial> trials = std::move(made).value();
    for (const ScheduleRequest &request : requests.subspan(*tries)) {
        trials.push_back({.draw = request});
    }
    return trials;
}

Result<Prices> RecordedExecutor::price(std::span<const std::string> lists,
                                       const NamedValues &model) {
    const PhaseTimer timer(times_.price);
    return maker_.price(lists, model);
}

Result<std::vector<Trial *>> RecordedExecutor::compiled(std::span<Trial *const> trials) {
    std::vector<Trial *> to_run, requested;
    std::vector<ScheduleRequest> requests;
    for (Trial *trial : trials) {
        if (trial->is_request()) {
            requested.push_back(trial);
            requests.push_back(trial->draw);
        } else if (trial->is_open()) {
            to_run.push_back(trial);
        }
    }
    if (requests.empty()) return to_run;
    Result<std::vector<Trial>> built = build(requests);
    if (!built) return built.error();
    std::vector<Trial> made = std::move(built).value();
    for (size_t i = 0; i < made.size(); ++i) *requested[i] = std::move(made[i]);
    std::set<uint64_t> codes;
    for (Trial *trial : requested) {
        const bool is_compiled = trial->is_open() && !trial->is_request();
        if (is_compiled && codes.insert(trial->code_hash).second) to_run.push_back(trial);
    }
    return to_run;
}

Result<std::vector<ComparedTimes>> RecordedExecutor::compare(std::span<Trial *const> trials,
                                                             const Comparison &comparison) {
    Result<std::vector<ComparedTimes>> known =
        maker_.compared(trials, label_of(comparison, trials));
    if (!known) return known.error();
    std::vector<ComparedTimes> all = std::move(known).value();
    const auto is_to_be_made = [&](const ComparedTimes &times) {
        return times && !is_complete(*times, comparison);
    };
    if (std::ranges::none_of(all, is_to_be_made)) return all;
    std::vector<Trial *> rest;
    for (size_t i = 0; i < all.size(); ++i) {
        if (all[i]) rest.push_back(trials[i]);
    }
    if (rest.size() == all.size()) return compare_anew(trials, comparison);
    // What has failed in an earlier comparison is not run again: others are compared without it,
    // under a name of theirs.
    Result<std::vector<ComparedTimes>> others = compare(rest, comparison);
    if (!others) return others.error();
    auto next = others->begin();
    for (ComparedTimes &times : all) {
        if (times) times = *next++;
    }
    return all;
}

}  // namespace autoschedule_gpu
