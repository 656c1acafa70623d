// How many blocks of a kernel an SM holds at once, by the rules of NVIDIA's occupancy calculator:
//
//   warps      threads of a block, rounded up to whole warps; at most max_warps_per_sm in all
//   blocks     at most max_blocks_per_sm
//   registers  per warp, rounded up to register_unit_per_warp; the warps that the register file can
//              hold are rounded down to warp_allocation_unit, because each scheduler owns its share
//   shared     bytes of a block and the system's share, rounded up to shared_unit_bytes
//
// The largest split of L1 in favour of shared memory is assumed: the driver picks it when needed.
// Pure, no allocation, a few divisions.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/gpu/gpu_model.h"

namespace autoschedule_gpu {

// The resource that runs out first; of several that run out together, the one named first here.
enum class OccupancyLimit : uint8_t { warps, blocks, registers, shared_memory };

std::string_view to_string(OccupancyLimit limit);

struct Occupancy {
    int64_t blocks_per_sm = 0;  // 0: one block alone asks for more than the device has
    int64_t active_warps_per_sm = 0;
    OccupancyLimit limit = OccupancyLimit::warps;
    double warp_occupancy = 0;  // active warps / max_warps_per_sm, 0 to 1
};

// Registers of a thread that any code needs: addresses, loop counters, operands. A guess.
inline constexpr int64_t kBusyRegisters = 20;

// `registers_per_thread` is what the compiler allotted; 0 means that registers set no limit. It may
// exceed max_registers_per_thread, which limits the compiler and not the hardware. Fewer than one
// thread, or a negative amount, gives no block, limited by that resource.
Occupancy occupancy(const GpuModel &model, int64_t threads_per_block, int64_t registers_per_thread,
                    int64_t shared_bytes_per_block);

}  // namespace autoschedule_gpu
