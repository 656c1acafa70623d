// Writes a record as JSON, for other programs.
#pragma once

#include <string>

#include "lab/records/tuning_record.h"

namespace autoschedule_gpu {

// Returns one line without the newline. It has every field under its name, hashes as 16 hexadecimal
// digits, `trace` and `decisions` as JSON (null if empty), "median_ms" if the candidate was
// measured, and of the features only their number of bytes. Bytes that are not UTF-8 become U+FFFD.
std::string to_json(const TuningRecord &record);

}  // namespace autoschedule_gpu
