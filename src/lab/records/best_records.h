// The fastest schedule of each pipeline in each environment, beside the one that needed no tuning.
#pragma once

#include <optional>
#include <vector>

#include "lab/records/record_store.h"

namespace autoschedule_gpu {

struct Champion {
    TuningRecord record = {};  // of several that are as fast, the first
    double median_ms = 0;
    std::optional<double> default_ms = {};  // of the fastest that kFoundByDefault found
};

// One per pipeline hash, device, driver, gpu and halide, in that order, of the records that the
// filter means.
Result<std::vector<Champion>> find_champions(RecordStore &store, const RecordFilter &filter = {});

}  // namespace autoschedule_gpu
