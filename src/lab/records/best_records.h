// Finds the fastest schedule of each pipeline in each environment, and the time of the one that
// needed no tuning.
#pragma once

#include <optional>
#include <vector>

#include "lab/records/record_store.h"

namespace autoschedule_gpu {

struct Champion {
    TuningRecord record = {};  // of several that are equally fast, the first
    double median_ms = 0;
    std::optional<double> default_ms = {};  // the fastest found by kFoundByDefault
};

// Returns one champion per pipeline hash, device, driver, gpu and halide, sorted by these, among
// the records that match the filter.
Result<std::vector<Champion>> find_champions(RecordStore &store, const RecordFilter &filter = {});

}  // namespace autoschedule_gpu
