// The traffic counter: what the kernels of lowered code move through global and shared memory. It
// knows neither how a schedule came about nor the features that a cost model sees. It executes the
// index arithmetic of the loops, for the threads of a block at once, on a sample of blocks and of
// iterations, and looks at the addresses. README.md here has the definitions, an example worked out
// by hand, and the cases in which a figure is an estimate.
//
// The functions are pure and may be called from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/gpu/gpu_model.h"
#include "core/lowered/lowered.h"
#include "core/support/error.h"

namespace autoschedule_gpu {

// What threads do, summed over all launches of a kernel.
struct ThreadWork {
    // Bytes that threads ask of global memory.
    double access_load_bytes = 0;
    double access_store_bytes = 0;
    // Bytes of the sectors that warps touch, instruction by instruction.
    double transaction_load_bytes = 0;
    double transaction_store_bytes = 0;
    // Passes through the data banks of L1.
    double global_load_wavefronts = 0;
    double global_store_wavefronts = 0;

    // Shared memory, loads and stores.
    double shared_access_bytes = 0;
    double shared_wavefronts = 0;  // passes through the memory banks

    // Loads and stores of arrays on the stack. The stack is device memory too, but mostly in
    // caches.
    double stack_access_bytes = 0;

    // Atomic operations on global memory, which are stores as well: of all lanes; the sectors that
    // warps name, and the bytes of distinct elements, instruction by instruction.
    double atomic_operations = 0;
    double atomic_sectors = 0;
    double atomic_bytes = 0;

    // Arithmetic; operations.h says what counts.
    double float_operations = 0;
    double integer_operations = 0;
    double special_operations = 0;  // floating-point and integer: divisions, roots, transcendentals
    // Those multiplications that are fused with additions, however many.
    double fused_float_operations = 0;  // but for doubles
    double fused_integer_operations = 0;
    // Of the floating-point operations, those on doubles that are not special; and what the units
    // for doubles execute, with what is inside special operations.
    double double_operations = 0;
    double double_instructions = 0;
    // Arithmetic on loop variables, comparisons, selections, conversions, and what else is inside
    // transcendental functions and divisions of integers, by constants and of 64 bits.
    double other_operations = 0;

    // Instructions that load and store, and the elements that are stored in any memory.
    double global_loads = 0;
    double global_stores = 0;
    double shared_loads = 0;
    double shared_stores = 0;
    double stored_elements = 0;
    // The lanes that execute those instructions, and all lanes of their warps, idle ones too.
    double active_lanes = 0;
    double warp_lanes = 0;
    // Over all blocks: the instructions, each once, however many warps execute it.
    double block_instructions = 0;
    // Over all blocks: the iterations of innermost serial loops; those that store to an array which
    // they also load of, so that the next one's loads come behind; how often such loops begin.
    double serial_iterations = 0;
    double ordered_iterations = 0;
    double loop_entries = 0;
    // Over all blocks: how often loads wait for what is before them in the code of an iteration or
    // of none: a store to an element that may be the same, or loads that a branch, or a step of a
    // scan in global memory, parts them from.
    double waits = 0;
    double global_waits = 0;  // of these, loads of global memory
    // Over all blocks: groups of loads of global memory between which nothing waits, and those of
    // them that ask for a sector which the block has not had.
    double load_groups = 0;
    double new_load_groups = 0;

    double memory_instructions() const {
        return global_loads + global_stores + shared_loads + shared_stores;
    }
    // The share of a warp's lanes that take part: 0 to 1.
    double active_lane_share() const { return warp_lanes > 0 ? active_lanes / warp_lanes : 0; }
    // The lanes, idle ones too, of the warps that execute an instruction, on average.
    double lanes_at_work() const {
        return block_instructions > 0 ? warp_lanes / block_instructions : 0;
    }
};

ThreadWork operator-(const ThreadWork &a, const ThreadWork &b);
ThreadWork &operator+=(ThreadWork &a, const ThreadWork &b);

// What the threads of a block do between two barriers.
struct KernelPart : ThreadWork {
    double executions = 0;  // over all blocks
};

// Sums over all launches of one kernel, except where it says "per block" or "per thread".
struct KernelTraffic : ThreadWork {
    std::string name;  // the device function in Halide, without the counter for repeated names
    std::string loop;  // the outermost block loop, "blur_y.s0.y.y_b.block_id_y"
    std::string func;  // what the loop computes, "blur_y"
    double launches = 0;

    // The extents of the largest launch.
    std::array<int64_t, 3> blocks = {1, 1, 1};
    std::array<int64_t, 3> threads = {1, 1, 1};
    int64_t shared_bytes = 0;        // allocated per block
    int64_t thread_local_bytes = 0;  // arrays per thread that exist at the same time
    int64_t stack_bytes = 0;         // all arrays of a thread that cannot live in registers

    // Global memory. The footprint is the number of distinct bytes, summed over buffers and
    // launches.
    double footprint_load_bytes = 0;
    double footprint_store_bytes = 0;
    // Of the footprint, arrays between kernels that are small enough to stay in L2.
    double cached_load_bytes = 0;
    double cached_store_bytes = 0;
    // Of the sectors that are loaded, each once per block: what L1 can't save.
    double block_load_bytes = 0;

    // Over all blocks: the barriers at which threads meet.
    double barriers = 0;
    // In the order in which they run. A kernel of a single thread has one.
    std::vector<KernelPart> parts = {};

    // True if every block and every iteration was executed; otherwise sums are weighted samples.
    bool exact = false;
    // True if an index, a size or a condition depends on loaded data, for which values were made
    // up.
    bool data_dependent = false;
};

// How much work a count may do, in evaluations of one expression for one thread. The finest sample
// that stays below is used. The default takes a few hundredths of a second per kernel.
struct CountLimits {
    double work_per_kernel = 1e7;
};

// Returns one entry per kernel, in the order of the code. Of `model`, only the sizes of warps,
// sectors, banks and L2 matter. The error names what in the code cannot be evaluated.
Result<std::vector<KernelTraffic>> count_traffic(const lowered::Code &code, const GpuModel &model,
                                                 const CountLimits &limits = {});

}  // namespace autoschedule_gpu
