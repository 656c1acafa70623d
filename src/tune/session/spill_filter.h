// Decides which schedules are worth running by what their kernels spill (Anderson et al. 2021,
// section 6.1): those that spill nothing; where all do, those within half as much again of the
// least.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace autoschedule_gpu {

// Returns the indices of those that are kept, ascending. Of each schedule, `spill_bytes` has the
// bytes that a thread stores in the kernel that stores most; nothing where that is not known: such
// a schedule is kept.
std::vector<size_t> without_spills(std::span<const std::optional<int64_t>> spill_bytes);

}  // namespace autoschedule_gpu
