// Finds where a scheduler is beaten: the honest part of a comparison.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compare/rows/metrics.h"
#include "compare/rows/row.h"

namespace autoschedule_gpu {

// One application and metric in which another scheduler's schedule is clearly better.
struct MetricLoss {
    std::string group = {};  // ComparisonGroup::title
    std::string app = {};
    const ComparisonMetric *metric = nullptr;
    double value = 0;
    std::string best_scheduler = {};  // the best of the others; of equals, the first
    double best_value = 0;
    double times_worse = 0;     // times_worse() of metrics.h; may be infinite
    int better_schedulers = 0;  // how many others are clearly better
};

// An application for which the scheduler failed and another one did not.
struct FailureLoss {
    std::string group = {};
    std::string app = {};
    std::string reason = {};  // "KIND: sentence"
    std::vector<std::string> done_by = {};
};

struct Losses {
    std::vector<MetricLoss> metrics = {};    // by group, then by metric
    std::vector<FailureLoss> failures = {};  // by group
    // The number of pairs of group and metric in which both the scheduler and another one have a
    // value.
    int compared = 0;
};

// A value that is worse by up to this ratio (5 %) is not a loss.
inline constexpr double kLossThreshold = 1.05;

// Compares with every row that is ok and of another family, because a scheduler does not lose to
// its own configurations.
Losses find_losses(const std::vector<ComparisonRow> &rows, std::string_view scheduler);

}  // namespace autoschedule_gpu
