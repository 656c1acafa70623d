// The features of a kernel: what a cost model may know about it. One list, from which the structs,
// the names and the documentation come. After Anderson 2021, Appendix A, and beyond it.
//
// Two tables: one row per kernel, and one row per stage that the kernel executes (inlined Funcs
// count towards the stages that evaluate them). All values are doubles, at the estimated sizes, for
// one run of the pipeline; "per block" means a block away from the edges.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "support/strong_id.h"

namespace autoschedule_gpu {

// clang-format off
//   name, unit, group, meaning
#define AUTOSCHEDULE_GPU_KERNEL_FEATURES(X)                                                        \
    X(num_blocks, "blocks", "parallelism", "blocks of the launch")                                 \
    X(threads_per_block, "threads", "parallelism", "threads of a block: the maximum over its stages in each dimension") \
    X(warps_per_block, "warps", "parallelism", "warps of a block")                                 \
    X(barriers_per_block, "barriers", "parallelism", "waits of a whole block, one between consecutive stages, in every iteration of a loop around them") \
    X(shared_bytes_per_block, "bytes", "shared memory", "arrays of the stages computed per block") \
    X(registers_per_thread, "registers", "registers", "estimated need, before any limit")          \
    X(spills_per_thread, "values", "registers", "values that are estimated not to fit into the device's registers, in every pass of the loops") \
    X(local_bytes_per_thread, "bytes", "registers", "arrays of a thread that are indexed by a loop and so live in local memory") \
    X(block_global_read_sectors, "sectors", "global memory", "distinct 32-byte sectors that a block reads") \
    X(global_bytes_read, "bytes", "global memory", "distinct bytes that the whole launch reads")   \
    X(dram_bytes_read, "bytes", "global memory", "of these, what is too large to be still in the L2 cache") \
    X(dram_bytes_written, "bytes", "global memory", "written bytes that are too many to stay in the L2 cache") \
    X(on_host, "0 or 1", "parallelism", "runs on the host")

#define AUTOSCHEDULE_GPU_STAGE_FEATURES(X)                                                         \
    X(num_scalars, "points", "arithmetic", "evaluations of the stage in the whole launch, recomputation included") \
    X(points_computed_per_thread, "points", "arithmetic", "evaluations of the stage by one active thread") \
    X(unrolled_points, "points", "arithmetic", "evaluations in one pass of the unrolled loops: the independent work of a thread") \
    X(num_threads_per_block, "threads", "parallelism", "threads of a block that execute this stage") \
    X(num_active_warps_per_block, "warps", "parallelism", "warps of a block with at least one such thread") \
    X(warp_lane_utilization, "ratio", "parallelism", "active threads / lanes of the active warps")  \
    X(inlined_calls, "points", "arithmetic", "evaluations of inlined Funcs by one thread")          \
    X(fp32_ops_per_thread, "operations", "arithmetic", "single-precision operations")              \
    X(fp32_fused_per_thread, "operations", "arithmetic", "of these, multiplications that an addition of the same definition takes up") \
    X(fp16_ops_per_thread, "operations", "arithmetic", "half-precision operations")                \
    X(fp64_ops_per_thread, "operations", "arithmetic", "double-precision operations")              \
    X(int_ops_per_thread, "operations", "arithmetic", "integer, compare, select and convert operations") \
    X(int_fused_per_thread, "operations", "arithmetic", "of these, multiplications that an addition of the same definition takes up") \
    X(special_ops_per_thread, "operations", "arithmetic", "divisions, square roots, exp, log, sin") \
    X(global_loads_per_thread, "loads", "global memory", "loads from global memory, those shared by the unrolled tile counted once") \
    X(num_global_mem_loads_per_block, "sectors", "global memory", "sectors requested by the loads of a block, after coalescing") \
    X(global_mem_load_efficiency, "ratio", "global memory", "bytes used / bytes of the sectors requested by loads") \
    X(global_stores_per_thread, "stores", "global memory", "stores to global memory")              \
    X(num_global_mem_stores_per_block, "sectors", "global memory", "sectors written by the stores of a block") \
    X(global_mem_store_efficiency, "ratio", "global memory", "bytes stored / bytes of the sectors written") \
    X(shared_loads_per_thread, "loads", "shared memory", "loads from shared memory")               \
    X(num_shared_mem_loads_per_block, "transactions", "shared memory", "passes through the banks by the loads of a block") \
    X(shared_stores_per_thread, "stores", "shared memory", "stores to shared memory")              \
    X(num_shared_mem_stores_per_block, "transactions", "shared memory", "passes through the banks by the stores of a block") \
    X(atomics_per_thread, "operations", "atomics", "atomic operations, each also a load and a store") \
    X(num_global_atomics_per_block, "sectors", "atomics", "sectors of global memory that the atomic operations of a block read and write") \
    X(atomics_per_element, "operations", "atomics", "atomic operations on one element of global memory in the whole launch, which wait for each other") \
    X(register_accesses_per_thread, "accesses", "registers", "reads and writes of arrays in registers") \
    X(local_accesses_per_thread, "accesses", "registers", "reads and writes of arrays in local memory") \
    X(serial_iterations, "iterations", "parallelism", "passes of the loops that are not unrolled, one after the other")
// clang-format on

struct KernelFeatures {
#define X(name, unit, group, meaning) double name = 0;
    AUTOSCHEDULE_GPU_KERNEL_FEATURES(X)
#undef X
};

struct StageFeatures {
    StageId stage;
#define X(name, unit, group, meaning) double name = 0;
    AUTOSCHEDULE_GPU_STAGE_FEATURES(X)
#undef X
};

// The feature table of one kernel: stages in execution order, the root stage last.
struct FeatureTable {
    KernelFeatures kernel;
    std::vector<StageFeatures> stages;
};

struct FeatureInfo {
    std::string_view name, unit, group, meaning;
};
std::span<const FeatureInfo> kernel_feature_list();
std::span<const FeatureInfo> stage_feature_list();

// By position in the lists above.
double kernel_feature(const KernelFeatures &features, size_t index);
double stage_feature(const StageFeatures &features, size_t index);

}  // namespace autoschedule_gpu
