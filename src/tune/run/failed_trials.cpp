#include "tune/run/failed_trials.h"

#include <algorithm>
#include <map>

namespace autoschedule_gpu {
namespace {

struct ReasonCount {
    std::string reason;
    int count = 0;
};

// In the order in which they were met.
using ReasonCounts = std::vector<ReasonCount>;

void count_one_more(ReasonCounts &counts, const std::string &reason) {
    const auto found = std::ranges::find(counts, reason, &ReasonCount::reason);
    if (found == counts.end()) {
        counts.push_back({reason, 1});
    } else {
        ++found->count;
    }
}

}  // namespace

std::vector<FailedTrials> failures_by_kind(std::span<const Trial> trials) {
    std::map<FailureKind, ReasonCounts> reasons;
    for (const Trial &trial : trials) {
        if (trial.failure) count_one_more(reasons[trial.failure->kind], trial.failure->reason);
    }
    std::vector<FailedTrials> failures;
    for (const auto &[kind, counts] : reasons) {
        const auto most = std::ranges::max_element(counts, {}, &ReasonCount::count);
        FailedTrials failed{.kind = kind, .reason = most->reason, .of_that_reason = most->count};
        for (const ReasonCount &one : counts) failed.count += one.count;
        failures.push_back(std::move(failed));
    }
    std::ranges::stable_sort(failures, std::ranges::greater(), &FailedTrials::count);
    return failures;
}

}  // namespace autoschedule_gpu
