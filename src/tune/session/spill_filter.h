// Decides which schedules are worth running by what their kernels spill (Anderson et al. 2021,
// section 6.1): those that spill nothing; where all do, those within half as much again of the
// least.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tune/session/trial.h"

namespace autoschedule_gpu {

// Returns the indices of those that are kept, ascending. Of each schedule, `spill_bytes` has the
// bytes that a thread stores in the kernel that stores most; nothing where that is not known: such
// a schedule is kept.
std::vector<size_t> without_spills(std::span<const std::optional<int64_t>> spill_bytes);

// Returns those of the trials that are kept, of all that have code, each code once.
std::vector<Trial *> worth_running(std::span<Trial *const> trials);

}  // namespace autoschedule_gpu
