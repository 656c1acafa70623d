// The features of a kernel: what a cost model may know about it. One list, from which the structs,
// the names, the documentation and the schema of files come. After Anderson 2021, Appendix A (and
// Adams 2019, whose basic features it takes over), and beyond it: every name of Appendix A is here,
// with its meaning.
//
// Two tables: one row per kernel, and one row per stage that the kernel executes (inlined Funcs
// count towards the stages that evaluate them). A stage's row holds what it computes (algorithm)
// and how (schedule). All values are doubles, at the estimated sizes, for one run of the pipeline.
// "Per block" means a block away from the edges; a realization is one production of the stage's
// Func: the whole launch at root, else a block, an iteration of a loop in it, or a thread. "Lines"
// are contiguous runs of elements: rows of the box that is read.
//
// Values are never negative, infinite or no number. Value types. Needs C++17 and the standard
// library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

#include "autoschedule_gpu/hash.h"

namespace autoschedule_gpu::api {

// clang-format off
//   name, unit, group, meaning
#define AUTOSCHEDULE_GPU_KERNEL_FEATURES(X)                                                        \
    X(num_blocks, "blocks", "parallelism", "blocks of the launch")                                 \
    X(threads_per_block, "threads", "parallelism", "threads of a block: the maximum over its stages in each dimension") \
    X(num_warps_per_block, "warps", "parallelism", "warps of a block")                             \
    X(barriers_per_block, "barriers", "parallelism", "waits of a whole block, one between consecutive stages, in every iteration of a loop around them") \
    X(idle_core_wastage, "ratio", "parallelism", "rounds of one block per SM, rounded up / not rounded: what the last round leaves idle") \
    X(on_host, "0 or 1", "parallelism", "runs on the host")                                        \
    X(block_occupancy, "ratio", "occupancy", "threads of a block / the device's limit")            \
    X(max_warp_occupancy, "ratio", "occupancy", "resident warps / the device's limit")             \
    X(max_block_occupancy, "ratio", "occupancy", "resident blocks / the device's limit")           \
    X(shared_mem_occupancy, "ratio", "occupancy", "shared memory of a block / the device's limit") \
    X(shared_mem_block_limit_factor, "ratio", "occupancy", "blocks whose shared memory an SM holds / the device's limit of blocks") \
    X(shared_bytes_per_block, "bytes", "shared_memory", "arrays of the stages computed per block") \
    X(staged_bytes_per_block, "bytes", "shared_memory", "of these, copies of what is in global memory") \
    X(registers_per_thread, "registers", "register", "estimated need, before any limit")           \
    X(spills_per_thread, "values", "register", "values that are estimated not to fit into the device's registers, in every pass of the loops") \
    X(local_bytes_per_thread, "bytes", "register", "arrays of a thread that are indexed by a loop and so live in local memory") \
    X(block_global_read_sectors, "sectors", "global_memory", "distinct 32-byte sectors that a block reads") \
    X(global_bytes_read, "bytes", "global_memory", "distinct bytes that the whole launch reads")   \
    X(dram_bytes_read, "bytes", "global_memory", "of these, what is too large to be still in the L2 cache") \
    X(dram_bytes_written, "bytes", "global_memory", "written bytes that are too many to stay in the L2 cache")

#define AUTOSCHEDULE_GPU_STAGE_FEATURES(X)                                                         \
    X(num_scalars, "points", "arithmetic", "evaluations of the stage in the whole launch, recomputation included") \
    X(points_computed_per_thread, "points", "arithmetic", "evaluations of the stage by one active thread") \
    X(unrolled_points, "points", "arithmetic", "evaluations in one pass of the unrolled loops: the independent work of a thread") \
    X(inlined_calls, "points", "arithmetic", "evaluations of inlined Funcs by one thread")         \
    X(fp32_ops_per_thread, "operations", "arithmetic", "single-precision operations")              \
    X(fp32_fused_per_thread, "operations", "arithmetic", "of these, multiplications that an addition of the same definition takes up") \
    X(fp16_ops_per_thread, "operations", "arithmetic", "half-precision operations; a multiplication and the addition that takes it up are one") \
    X(fp64_ops_per_thread, "operations", "arithmetic", "double-precision operations, also those inside a quotient or a function; a multiplication and the addition that takes it up are one") \
    X(int_ops_per_thread, "operations", "arithmetic", "integer, compare, select and convert operations, also those inside a quotient of 64 bits") \
    X(int_fused_per_thread, "operations", "arithmetic", "of these, multiplications that an addition of the same definition takes up") \
    X(special_ops_per_thread, "operations", "arithmetic", "divisions, square roots, exp, log, sin") \
    X(num_threads_per_block, "threads", "parallelism", "threads of a block that execute this stage, the mean over the rounds that they take") \
    X(num_active_warps_per_block, "warps", "parallelism", "warps of a block with at least one such thread, likewise") \
    X(warp_lane_utilization, "ratio", "parallelism", "active threads / lanes of the active warps") \
    X(idle_lane_wastage, "ratio", "parallelism", "idle lanes of the active warps / the device's limit of threads per block") \
    X(serial_iterations, "iterations", "parallelism", "passes of the loops that are not unrolled, one after the other") \
    X(num_realizations, "realizations", "parallelism", "productions of the stage's Func in the whole launch") \
    X(reduction_split, "parts", "parallelism", "blocks and threads among which the stage's reduction loops are divided, which then meet in atomic operations") \
    X(global_loads_per_thread, "loads", "global_memory", "loads from global memory, those shared by the unrolled tile counted once") \
    X(num_global_mem_loads_per_block, "sectors", "global_memory", "sectors requested by the loads of a block, after coalescing") \
    X(global_mem_load_efficiency, "ratio", "global_memory", "bytes used / bytes of the sectors requested by loads") \
    X(global_stores_per_thread, "stores", "global_memory", "stores to global memory")              \
    X(num_global_mem_stores_per_block, "sectors", "global_memory", "sectors written by the stores of a block") \
    X(global_mem_store_efficiency, "ratio", "global_memory", "bytes stored / bytes of the sectors written") \
    X(vector_width, "elements", "global_memory", "neighbours in memory that a thread stores in one pass, and so may store by one instruction; at most 16 bytes") \
    X(shared_loads_per_thread, "loads", "shared_memory", "loads from shared memory")               \
    X(num_shared_mem_loads_per_block, "transactions", "shared_memory", "passes through the banks by the loads of a block") \
    X(shared_mem_load_efficiency, "ratio", "shared_memory", "bytes used / bytes that the banks could hand out in these passes") \
    X(shared_stores_per_thread, "stores", "shared_memory", "stores to shared memory")              \
    X(num_shared_mem_stores_per_block, "transactions", "shared_memory", "passes through the banks by the stores of a block") \
    X(shared_mem_store_efficiency, "ratio", "shared_memory", "bytes stored / bytes that the banks could take in these passes") \
    X(atomics_per_thread, "operations", "atomic", "atomic operations, each also a load and a store") \
    X(num_global_atomics_per_block, "sectors", "atomic", "sectors of global memory that the atomic operations of a block read and write") \
    X(atomics_per_element, "operations", "atomic", "atomic operations on one element of global memory in the whole launch, which wait for each other") \
    X(register_accesses_per_thread, "accesses", "register", "reads and writes of arrays in registers") \
    X(local_accesses_per_thread, "accesses", "register", "reads and writes of arrays in local memory") \
    X(working_set_at_thread, "bytes", "register", "arrays that the threads of this stage hold, of Funcs computed in a thread") \
    X(expr_branching, "values", "register", "Strahler number of the stage's expressions with what is inlined: the fewest registers that evaluate them") \
    X(unique_global_bytes_read_per_realization, "bytes", "footprint", "distinct bytes of global memory that a realization reads") \
    X(unique_shared_bytes_read_per_realization, "bytes", "footprint", "the same of shared memory") \
    X(unique_register_bytes_read_per_realization, "bytes", "footprint", "the same of arrays of a thread") \
    X(unique_global_lines_read_per_realization, "lines", "footprint", "lines of global memory that a realization reads") \
    X(unique_shared_lines_read_per_realization, "lines", "footprint", "the same of shared memory") \
    X(unique_register_lines_read_per_realization, "lines", "footprint", "the same of arrays of a thread") \
    X(unique_global_bytes_read_per_thread, "bytes", "footprint", "distinct bytes of global memory that one thread of the stage reads") \
    X(unique_shared_bytes_read_per_thread, "bytes", "footprint", "the same of shared memory")      \
    X(unique_register_bytes_read_per_thread, "bytes", "footprint", "the same of arrays of a thread") \
    X(unique_global_lines_read_per_thread, "lines", "footprint", "lines of global memory that one thread of the stage reads") \
    X(unique_shared_lines_read_per_thread, "lines", "footprint", "the same of shared memory")      \
    X(unique_register_lines_read_per_thread, "lines", "footprint", "the same of arrays of a thread") \
    X(unique_bytes_read_per_task, "bytes", "footprint", "distinct bytes of any memory that a block's threads of the stage read") \
    X(unique_lines_read_per_task, "lines", "footprint", "lines of any memory that they read")      \
    X(unique_bytes_read_per_point, "bytes", "footprint", "distinct bytes of any memory that one pass of the unrolled loops reads / its evaluations") \
    X(unique_lines_read_per_point, "lines", "footprint", "lines that it reads / its evaluations")  \
    X(global_allocation_bytes_read_per_realization, "bytes", "footprint", "whole arrays in global memory of which a realization reads something") \
    X(shared_allocation_bytes_read_per_realization, "bytes", "footprint", "the same in shared memory") \
    X(register_allocation_bytes_read_per_realization, "bytes", "footprint", "the same of arrays of a thread") \
    X(global_bytes_at_task, "bytes", "footprint", "what a block writes of this stage to global memory") \
    X(shared_bytes_at_task, "bytes", "footprint", "the same to shared memory")                     \
    X(register_bytes_at_task, "bytes", "footprint", "the same to arrays of its threads, all together") \
    X(global_innermost_bytes_at_task, "bytes", "footprint", "of these to global memory, those of one line") \
    X(shared_innermost_bytes_at_task, "bytes", "footprint", "of these to shared memory, those of one line") \
    X(register_innermost_bytes_at_task, "bytes", "footprint", "of these to the arrays of one thread, those of one line") \
    X(global_load_wavefronts_per_block, "wavefronts", "global_memory", "passes through the data banks of L1 by the loads of a block: lanes whose words lie in one bank, or in more than four lines, take turns") \
    X(global_store_wavefronts_per_block, "wavefronts", "global_memory", "the same by its stores")

// What a stage computes, whatever its schedule: per evaluation, with that of the Funcs inlined into
// it. Operations by kind (core/dag/op_histogram.h) and by type.
#define AUTOSCHEDULE_GPU_ALGORITHM_FEATURES(X)                                                     \
    X(ops_add, "operations", "algorithm", "additions and subtractions")                            \
    X(ops_mul, "operations", "algorithm", "multiplications")                                       \
    X(ops_div, "operations", "algorithm", "divisions and remainders that are no shift")            \
    X(ops_shift, "operations", "algorithm", "shifts, also divisions by a power of two")            \
    X(ops_bitwise, "operations", "algorithm", "and, or, xor, not on integers")                     \
    X(ops_min_max, "operations", "algorithm", "minima and maxima")                                 \
    X(ops_compare, "operations", "algorithm", "comparisons")                                       \
    X(ops_logic, "operations", "algorithm", "and, or, not on conditions")                          \
    X(ops_select, "operations", "algorithm", "selects, conditional values")                        \
    X(ops_cast, "operations", "algorithm", "conversions between types")                            \
    X(ops_sqrt, "operations", "algorithm", "square roots and reciprocals")                         \
    X(ops_transcendental, "operations", "algorithm", "exp, log, pow, sin and the like")            \
    X(ops_other, "operations", "algorithm", "everything else")                                     \
    X(ops_on_integers, "operations", "algorithm", "of all of these, on integers of at most 32 bits") \
    X(ops_on_wide_integers, "operations", "algorithm", "on integers of 64 bits")                   \
    X(ops_on_halves, "operations", "algorithm", "on floats of 16 bits")                            \
    X(ops_on_singles, "operations", "algorithm", "on floats of 32 bits")                           \
    X(ops_on_doubles, "operations", "algorithm", "on floats of 64 bits")                           \
    X(loads, "loads", "algorithm", "loads at addresses that follow from the loops")                \
    X(gathers, "loads", "algorithm", "loads at addresses that depend on data")                     \
    X(self_loads, "loads", "algorithm", "loads of the stage's own Func, by an update")             \
    X(bytes_per_point, "bytes", "algorithm", "of a point of the stage's Func")                     \
    X(dimensions, "dimensions", "algorithm", "of the stage's Func")                                \
    X(reduction_loops, "loops", "algorithm", "loops of the stage beside those over its dimensions") \
    X(inlined_funcs, "Funcs", "algorithm", "Funcs inlined into the stage")
// clang-format on

struct KernelFeatures {
#define X(name, unit, group, meaning) double name = 0;
    AUTOSCHEDULE_GPU_KERNEL_FEATURES(X)
#undef X
};

struct AlgorithmFeatures {
#define X(name, unit, group, meaning) double name = 0;
    AUTOSCHEDULE_GPU_ALGORITHM_FEATURES(X)
#undef X
};

// What a stage's atomic operations add up. Devices take longer for floats.
enum class Added : uint8_t { not_known, integers, floats };

struct StageFeatures {
    int32_t stage = -1;  // its number in the pipeline, producers first; -1: not known
    Added added = Added::not_known;  // files leave it out
    // Of serial_iterations, those that are no passes of a loop, but steps written out of which each
    // waits for what the one before has stored; files leave it out.
    double waiting_steps = 0;
    // Steps of a scan that are written out and load, all of them, before the first one stores;
    // files leave it out.
    double steps_ahead = 0;
#define X(name, unit, group, meaning) double name = 0;
    AUTOSCHEDULE_GPU_STAGE_FEATURES(X)
#undef X
    AlgorithmFeatures algorithm;
};

// The feature table of one kernel: stages in execution order, the root stage last.
struct FeatureTable {
    KernelFeatures kernel;
    std::vector<StageFeatures> stages;
};

struct FeatureInfo {
    std::string_view name, unit, group, meaning;
};

// The lists as data, for who treats all features alike: what each is, and where it is.
#define X(name, unit, group, meaning) FeatureInfo{#name, unit, group, meaning},
inline constexpr FeatureInfo kKernelFeatureList[] = {AUTOSCHEDULE_GPU_KERNEL_FEATURES(X)};
inline constexpr FeatureInfo kStageFeatureList[] = {AUTOSCHEDULE_GPU_STAGE_FEATURES(X)};
inline constexpr FeatureInfo kAlgorithmFeatureList[] = {AUTOSCHEDULE_GPU_ALGORITHM_FEATURES(X)};
#undef X

#define X(name, unit, group, meaning) &KernelFeatures::name,
inline constexpr double KernelFeatures::*kKernelFeatureMembers[] = {
    AUTOSCHEDULE_GPU_KERNEL_FEATURES(X)};
#undef X
#define X(name, unit, group, meaning) &StageFeatures::name,
inline constexpr double StageFeatures::*kStageFeatureMembers[] = {
    AUTOSCHEDULE_GPU_STAGE_FEATURES(X)};
#undef X
#define X(name, unit, group, meaning) &AlgorithmFeatures::name,
inline constexpr double AlgorithmFeatures::*kAlgorithmFeatureMembers[] = {
    AUTOSCHEDULE_GPU_ALGORITHM_FEATURES(X)};
#undef X

// How many features of each list a file holds, from the first on.
struct FeatureCounts {
    size_t kernel = std::size(kKernelFeatureList);
    size_t stage = std::size(kStageFeatureList);
    size_t algorithm = std::size(kAlgorithmFeatureList);
};

// The lists grow at their ends. Files of these earlier, shorter ones can still be read: what they
// lack is 0, as where a kernel has nothing of the kind.
inline constexpr FeatureCounts kEarlierFeatureCounts[] = {
    {20, 63, 25},  // 0.1.0 until November 2026: without wavefronts of global memory
};

// The schema of files that hold features: a hash of all names and units in their order. Another
// list has another one.
constexpr uint64_t feature_schema_hash(const FeatureCounts &counts = {}) {
    Hasher hash;
    const auto add = [&hash](const FeatureInfo *begin, size_t size) {
        hash.add(size);
        for (size_t i = 0; i < size; ++i) hash.add(begin[i].name).add(begin[i].unit);
    };
    add(kKernelFeatureList, counts.kernel);
    add(kStageFeatureList, counts.stage);
    add(kAlgorithmFeatureList, counts.algorithm);
    return hash.value();
}

}  // namespace autoschedule_gpu::api
