// What a launch does with memory, buffer by buffer: for people, who ask which array the bytes of a
// kernel's features are of.
#pragma once

#include <span>
#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "core/support/memory_kind.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

enum class BufferAccess : uint8_t { read, written, kept };

// `read`, `written`: an array in global memory; of one that is read and added to there are both.
// `kept`: an array of a block or of a thread, which is written and read there.
struct BufferUse {
    FuncId func;
    BufferAccess access = BufferAccess::read;
    MemoryKind memory = MemoryKind::global;
    // Distinct bytes: over the whole launch in global memory, of a block in shared memory, of a
    // thread in registers.
    double bytes = 0;
    double bytes_of_block =
        0;              // `read`: distinct bytes that a block in the middle of the grid reads
    bool dram = false;  // it comes from DRAM, or goes there; else the L2 cache has it
};

// Reads come first, then what is written, then what is kept; each Func once in each. Boxes of the
// launch's kernels are put together, so that what several read counts once. What is computed in no
// kernel on the device has no uses. Requires at least one kernel.
std::vector<BufferUse> buffer_uses(const Dag &dag, const GpuModel &gpu,
                                   std::span<const KernelPtr> launch);

}  // namespace autoschedule_gpu
