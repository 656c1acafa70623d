// Which schedules are worth running, by what their kernels spill (Anderson 2021, section 6.2):
// those that spill nothing; where all do, those within half as much again of the least.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tune/trial.h"

namespace autoschedule_gpu {

// Indices of those that are kept, ascending. Bytes stored per thread, summed over the kernels;
// nothing: not known, which is kept.
std::vector<size_t> without_spills(std::span<const std::optional<int64_t>> spill_bytes);

// The same of all trials that have code, each code once.
std::vector<Trial *> worth_running(std::span<Trial> trials);

}  // namespace autoschedule_gpu
