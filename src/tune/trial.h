// A schedule of the tuned pipeline on its way from a draw to a number. What is known of it from
// earlier runs is filled in, whoever found it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "features/feature_list.h"
#include "measure/failure.h"
#include "support/statistics.h"
#include "trial/draw.h"

namespace autoschedule_gpu {

struct Trial {
    Draw draw = {};
    uint64_t code_hash = 0;                                   // 0: there is no code
    std::vector<FeatureTable> kernels = {};                   // empty: not known
    std::string trace = {};                                   // JSON (schedule/trace.h)
    std::string decisions = {};                               // JSON (search/decision_list.h)
    std::optional<int64_t> registers = {}, spill_bytes = {};  // per thread; the most of its kernels
    std::optional<double> predicted_ms = {};
    std::vector<double> samples_ms = {};  // of the first measurement; empty: not measured
    std::optional<Failure> failure = {};

    bool is_measured() const { return !failure && !samples_ms.empty(); }
    // There must be samples.
    double median_ms() const { return median(samples_ms); }
};

// Of one trial in a comparison, in milliseconds, or why it has none.
using ComparedTimes = Outcome<std::vector<double>>;

}  // namespace autoschedule_gpu
