// A schedule of the tuned pipeline on its way from a request to a number. What is known of it from
// earlier runs is filled in, whoever found it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/support/statistics.h"
#include "lab/build/failure.h"
#include "lab/records/tuning_record.h"
#include "lab/workloads/schedule_request.h"
#include "scheduler/features/feature_list.h"

namespace autoschedule_gpu {

struct Trial {
    ScheduleRequest draw = {};
    uint64_t code_hash = 0;                                   // 0: there is no code
    std::vector<FeatureTable> kernels = {};                   // empty: not known
    std::string trace = {};                                   // JSON (scheduler/schedule/trace.h)
    std::string decisions = {};                               // JSON (scheduler/decisions)
    std::optional<int64_t> registers = {}, spill_bytes = {};  // per thread; the most of its kernels
    std::optional<double> predicted_ms = {};
    std::vector<double> samples_ms = {};  // of the first measurement; empty: not measured
    std::optional<Failure> failure = {};

    bool is_measured() const { return !failure && !samples_ms.empty(); }
    // True if it may still be run: it has neither failed nor been measured.
    bool is_open() const { return !failure && samples_ms.empty(); }
    // True if nobody has compiled it yet.
    bool is_request() const { return is_open() && code_hash == 0; }
    // There must be samples.
    double median_ms() const { return median(samples_ms); }
};

// The times of one trial in a comparison, in milliseconds, or why it has none.
using ComparedTimes = Outcome<std::vector<double>>;

// Returns the request for what the autoscheduler makes when nothing is tuned.
inline ScheduleRequest default_request() {
    return {.schedule = kFoundByDefault};
}

}  // namespace autoschedule_gpu
