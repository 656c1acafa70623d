// Finds the winner among the records of each pipeline in each environment, by the one rule that
// there is (lab/verdict/fastest.h): `records best`, the tuner's export and the plugin go by it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lab/records/record_store.h"

namespace autoschedule_gpu {

struct Champion {
    int64_t id = 0;  // of its row in the file
    TuningRecord record = {};
    std::vector<double> times_ms = {};  // those that made it the winner
    double median_ms = 0;               // of these
    // The median of the same of what needed no tuning, and how many times as fast the winner is in
    // the same finals; nothing where that was not measured.
    std::optional<double> default_ms = {}, times_as_fast = {};
    double chance_of_luck = 1;  // that it is not faster than that; 1 if it is that one
};

// Returns one champion per pipeline hash, device, driver, gpu and halide, sorted by these, among
// the records that match the filter. One without a trace is none where others have one. The
// reference of an environment is what was found by kFoundByDefault, or drawn as that.
Result<std::vector<Champion>> find_champions(RecordStore &store, const RecordFilter &filter = {});
// The same within a transaction.
Result<std::vector<Champion>> find_champions(Database &database, const RecordFilter &filter);

// Returns all measured records with a trace: the champions first, of several the fastest, and then
// the others by the median of all their times.
Result<std::vector<TuningRecord>> ranked_records(RecordStore &store, const RecordFilter &filter);

}  // namespace autoschedule_gpu
