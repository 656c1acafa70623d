// Instructions of one thread of a stage, and passes of its block through L1, as the cost models
// count them. The constants are guesses.
#pragma once

#include <algorithm>

#include "scheduler/features/feature_list.h"

namespace autoschedule_gpu {

// Instructions of a division, square root or transcendental function.
inline constexpr double kSpecialInstructions = 8;
// Instructions to form the address of an access, and to close a loop.
inline constexpr double kAddressInstructions = 1.0;
inline constexpr double kLoopInstructions = 3;
// Unrolled code beyond the innermost instruction cache (16 bytes an instruction) is fetched anew in
// every pass, a little slower than it is issued.
inline constexpr double kCachedInstructions = 768, kFetchScale = 2000;

// A multiplication and the addition that takes it up are one instruction.
inline double fp32_instructions(const StageFeatures &s) {
    return std::max(0.0, s.fp32_ops_per_thread - s.fp32_fused_per_thread);
}

inline double int_instructions(const StageFeatures &s) {
    return std::max(0.0, s.int_ops_per_thread - s.int_fused_per_thread);
}

// Loads and stores of any memory but registers.
inline double memory_instructions(const StageFeatures &s) {
    return s.global_loads_per_thread + s.global_stores_per_thread + s.shared_loads_per_thread +
           s.shared_stores_per_thread + s.local_accesses_per_thread;
}

// Passes of a block's loads and stores of global memory through the banks of L1. Features of
// earlier releases have only the sectors.
inline double global_wavefronts(const StageFeatures &s, double sectors_per_line) {
    const double sectors = s.num_global_mem_loads_per_block + s.num_global_mem_stores_per_block;
    const double counted = s.global_load_wavefronts_per_block + s.global_store_wavefronts_per_block;
    return std::max(sectors / sectors_per_line, counted);
}

// How often a thread runs through the code that is written out. None would be a reduction over
// nothing.
inline double passes_of_code(const StageFeatures &s) {
    return std::max(1.0, s.serial_iterations - s.waiting_steps);
}

// How often what a thread does waits for what it did before: in each pass, and in steps that are
// written out.
inline double passes(const StageFeatures &s) {
    return std::max(1.0, s.serial_iterations);
}

inline double instructions(const StageFeatures &s) {
    const double arithmetic = fp32_instructions(s) + s.fp16_ops_per_thread / 2 +
                              s.fp64_ops_per_thread + int_instructions(s) +
                              kSpecialInstructions * s.special_ops_per_thread;
    return arithmetic + (1 + kAddressInstructions) * memory_instructions(s) +
           kLoopInstructions * std::max(0.0, s.serial_iterations - s.waiting_steps);
}

// How much more the instructions take because they are fetched anew, as a share of their time.
inline double fetch_stalls(const StageFeatures &s) {
    return std::max(0.0, instructions(s) / passes_of_code(s) - kCachedInstructions) / kFetchScale;
}

// How often a thread executes an instruction of its code, on average.
inline double executions(const FeatureTable &table) {
    double executed = 0, written = 0;
    for (const StageFeatures &s : table.stages) {
        executed += instructions(s);
        written += instructions(s) / passes_of_code(s);
    }
    return written > 0 ? std::max(1.0, executed / written) : 1;
}

// A compiler says how many values its code spills. A thread does that as often as it executes the
// code around: in the machine code of a stencil with two loops 4.4 times where 3.5 are the average,
// in that of a convolution 15 % of what the innermost loop executes and 14 % of what is written.
inline void count_spills_as_executed(FeatureTable &table) {
    table.kernel.spills_per_thread *= executions(table);
}

}  // namespace autoschedule_gpu
