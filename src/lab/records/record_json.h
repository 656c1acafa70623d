// A record as JSON, for other programs.
#pragma once

#include <string>

#include "lab/records/tuning_record.h"

namespace autoschedule_gpu {

// One line, without its end: every field under its name, hashes as 16 hexadecimal digits, `trace`
// and `decisions` as JSON (null if empty), "median_ms" where it was measured, and of the features
// their number of bytes. Bytes that are not UTF-8 become U+FFFD.
std::string to_json(const TuningRecord &record);

}  // namespace autoschedule_gpu
