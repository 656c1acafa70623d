// The traffic counter: what the kernels of lowered code move through global and shared memory.
// It knows nothing of how a schedule came about, nor of the features that a cost model sees: it
// executes the index arithmetic of the loops, for the threads of a block at once, on a sample of
// blocks and of iterations, and looks at the addresses. See README.md here for the definitions, a
// worked example by hand, and in which cases a figure is an estimate.
//
// Pure function of its arguments; may be called from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/gpu/gpu_model.h"
#include "core/lowered/lowered.h"
#include "core/support/error.h"

namespace autoschedule_gpu {

// Sums over all launches of one kernel, but for what says "per block" or "per thread".
struct KernelTraffic {
    std::string name;  // Halide's name of the device function, up to its counter for repeated names
    std::string loop;  // the outermost block loop, "blur_y.s0.y.y_b.block_id_y"
    std::string func;  // what the loop computes, "blur_y"
    double launches = 0;

    // The extents of the largest launch.
    std::array<int64_t, 3> blocks = {1, 1, 1};
    std::array<int64_t, 3> threads = {1, 1, 1};
    int64_t shared_bytes = 0;        // allocated per block
    int64_t thread_local_bytes = 0;  // arrays per thread that live at once
    int64_t stack_bytes = 0;         // all arrays of a thread that cannot live in registers

    // The share of a warp's lanes that take part in global and shared accesses: 0 to 1.
    double active_lane_share = 0;

    // Global memory. Footprint: distinct bytes, summed over buffers and launches.
    double footprint_load_bytes = 0;
    double footprint_store_bytes = 0;
    // Bytes that threads ask for.
    double access_load_bytes = 0;
    double access_store_bytes = 0;
    // Bytes of the sectors that warps touch, instruction by instruction.
    double transaction_load_bytes = 0;
    double transaction_store_bytes = 0;

    // Shared memory, loads and stores.
    double shared_access_bytes = 0;
    double shared_wavefronts = 0;  // passes through the banks

    // Loads and stores of arrays on the stack. That is device memory, too, but mostly in caches.
    double stack_access_bytes = 0;

    // Arithmetic of all threads (operations.h has what counts).
    double float_operations = 0;
    double integer_operations = 0;
    double special_operations = 0;  // of both: divisions, roots, transcendentals
    // Multiplications among them that an addition takes up.
    double fused_float_operations = 0;
    double fused_integer_operations = 0;

    // What else instructions are spent on, over all threads: loads and stores of global and shared
    // memory, and the elements that are stored anywhere.
    double memory_instructions = 0;
    double stored_elements = 0;
    // Over all blocks, iterations of the serial loops that have no other inside, and barriers that
    // threads meet at.
    double serial_iterations = 0;
    double barriers = 0;

    // Every block and every iteration was executed; otherwise sums are weighted samples.
    bool exact = false;
    // An index, a size or a condition depends on loaded data, for which values were made up.
    bool data_dependent = false;
};

// How much work a count may do, in evaluations of one expression for one thread: the sample
// is the finest that stays below it. The default takes a few hundredths of a second per kernel.
struct CountLimits {
    double work_per_kernel = 1e7;
};

// One entry per kernel, in the order of the code. Of the model, the sizes of warps, sectors and
// banks count. The error says what the code asks of us that cannot be answered.
Result<std::vector<KernelTraffic>> count_traffic(const lowered::Code &code, const GpuModel &model,
                                                 const CountLimits &limits = {});

}  // namespace autoschedule_gpu
