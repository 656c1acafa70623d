// The cost terms of the learned model: Anderson 2021, Appendix B, and what it lacks. Each is a time
// that the device would need at its peak rate if nothing else kept it busy, in nanoseconds, so that
// a coefficient near 1 is plausible; the network (network.h) predicts the coefficients.
//
// As in the paper, except: what it selects by inlined_calls or divides by an efficiency is left to
// the coefficients, which see both; footprints per thread count for every thread, not once per
// realization; costs of parallelism are those of launches and blocks.
//
// A term is of one row, a stage of a kernel. What the kernel has only once (launch, barriers,
// spills) belongs to its root stage, the last row; DRAM traffic is shared out by the sectors that
// the rows move.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/gpu/gpu_model.h"
#include "scheduler/features/feature_list.h"

namespace autoschedule_gpu {

// clang-format off
//   name, coefficient before any training, meaning
#define AUTOSCHEDULE_GPU_COST_TERMS(X)                                                             \
    X(bottleneck, 0.65, "the greatest of issue, the arithmetic units, memory pipe, L2, DRAM and latency: what cannot overlap") \
    X(scalars, 0.02, "num_scalars on single-precision lanes, with idle cores and idle lanes (B: c1)") \
    X(points, 0.02, "points computed by all threads, likewise (B: c19)")                           \
    X(issue, 0.35, "instructions of the active warps through the warp schedulers")                 \
    X(fetch, 0.35, "of these, those of unrolled code beyond the instruction cache")                \
    X(fp32, 0.1, "single-precision operations of whole warps")                                     \
    X(fp16, 0.1, "half-precision operations")                                                      \
    X(fp64, 0.1, "double-precision operations")                                                    \
    X(integer, 0.1, "integer operations, addresses included")                                      \
    X(special, 0.1, "divisions, square roots, transcendental functions")                           \
    X(memory_pipe, 0.35, "addresses or transactions of loads and stores, whichever take longer")   \
    X(global_loads, 0.35, "sectors requested of global memory, from L2 (B: global_mem_load_cost)") \
    X(distinct_loads, 0.1, "distinct sectors that blocks read, from L2: were L1 perfect")         \
    X(global_stores, 0.35, "sectors stored to global memory, to L2 (B: c21)")                      \
    X(store_sharing, 0.02, "sectors, if each run of stored bytes took one of its own (B: c22)")    \
    X(dram_reads, 0.35, "bytes from DRAM")                                                         \
    X(dram_writes, 0.35, "bytes to DRAM")                                                          \
    X(shared_loads, 0.1, "passes through the banks by loads (B: shared_mem_load_cost)")            \
    X(shared_stores, 0.1, "passes through the banks by stores (B: c29)")                           \
    X(local_accesses, 0.1, "accesses of arrays in local memory, a line each of a warp")            \
    X(spills, 1, "values that do not fit into registers, written once and read twice")             \
    X(atomics, 0.5, "atomic operations through the load-store units")                              \
    X(global_atomics, 0.35, "sectors that atomic operations read and write, in L2")                \
    X(same_element_atomics, 0.5, "atomic operations on one element, one after the other")          \
    X(latency, 0.35, "one block alone, waiting for loads and dependent operations, in all waves")  \
    X(first_loads, 0.35, "one load from DRAM in every wave")                                      \
    X(barriers, 1, "waits of a whole block, in all waves")                                         \
    X(launch, 1, "one launch (B: c25)")                                                            \
    X(blocks, 0.35, "starts of blocks, one an SM at a time (B: c26)")                              \
    X(realizations, 0.02, "productions of the Func, spread over the SMs (B: c24)")                 \
    X(working_set, 0.02, "arrays that threads hold, through the registers once (B: c9)")           \
    X(register_accesses, 0.02, "accesses of arrays in registers")                                  \
    X(realization_global_bytes, 0.02, "distinct bytes that realizations read, from L2 (B: c6)")    \
    X(realization_shared_bytes, 0.02, "from shared memory (B: c20)")                               \
    X(realization_register_bytes, 0.02, "from registers (B: c7)")                                  \
    X(realization_global_lines, 0.02, "runs that realizations read, a sector each from L2 (B: c5)")\
    X(realization_shared_lines, 0.02, "a pass through the banks each (B: c16)")                    \
    X(realization_register_lines, 0.02, "a register each (B: c8)")                                 \
    X(thread_global_bytes, 0.02, "distinct bytes that threads read, from L1 (B: c13)")             \
    X(thread_shared_bytes, 0.02, "from shared memory (B: c11)")                                    \
    X(thread_register_bytes, 0.02, "from registers (B: c0)")                                       \
    X(thread_global_lines, 0.02, "runs that threads read, a load each (B: c18)")                   \
    X(thread_shared_lines, 0.02, "a load each (B: c17)")                                           \
    X(thread_register_lines, 0.02, "a register each (B: c2)")                                      \
    X(point_bytes, 0.02, "distinct bytes that evaluations read, from L1 (B: c10)")                 \
    X(point_lines, 0.02, "runs that evaluations read, a load each (B: c12)")                       \
    X(task_bytes, 0.1, "distinct bytes that blocks read, from L2 (B: c14)")                        \
    X(task_lines, 0.02, "runs that blocks read, a sector each from L2 (B: c15)")
// clang-format on

struct CostTerms {
#define X(name, initial, meaning) float name = 0;
    AUTOSCHEDULE_GPU_COST_TERMS(X)
#undef X
};

struct CostTermInfo {
    std::string_view name;
    float initial;  // coefficient before any training
    std::string_view meaning;
};

inline constexpr std::array kCostTermList = {
#define X(name, initial, meaning) CostTermInfo{#name, initial, meaning},
    AUTOSCHEDULE_GPU_COST_TERMS(X)
#undef X
};
inline constexpr size_t kCostTerms = kCostTermList.size();

// No term is greater: 11 days, in nanoseconds.
inline constexpr float kMostTermNs = 1e15f;

// Peak rates and latencies of a device, as the terms need them.
struct PeakRates {
    explicit PeakRates(const GpuModel &gpu);

    // Of the device.
    double sms, ns_per_cycle, ns_per_l2_byte, ns_per_dram_byte, bytes_per_sector, launch_ns;
    double most_resident_blocks;
    // Of an SM; latencies in cycles.
    double warp_size, warps_per_cycle, fp32_per_cycle, fp16_per_cycle, fp64_per_cycle;
    double int32_per_cycle, special_per_cycle, addresses_per_cycle, sectors_per_cycle;
    double l1_bytes_per_cycle, shared_bytes_per_cycle, register_bytes_per_cycle;
    double arithmetic_latency, shared_latency, l1_latency, l2_latency, dram_latency;
};

// The terms of all rows of one kernel on the device: row by row, in their order. Every term is
// finite and from 0 to kMostTermNs, whatever finite non-negative features say.
class CostTermsOfKernel {
public:
    // Both must outlive this object.
    CostTermsOfKernel(const PeakRates &rates, const FeatureTable &table);

    CostTerms of_row(size_t row) const;

private:
    // A term while it is computed: anything.
    struct Work;
    void add_arithmetic(const StageFeatures &s, Work &work) const;
    void add_memory(const StageFeatures &s, bool last, Work &work) const;
    void add_footprints(const StageFeatures &s, Work &work) const;
    void add_waiting(const StageFeatures &s, bool last, Work &work) const;

    const PeakRates &rates_;
    const FeatureTable &table_;
    double load_sectors_ = 0, store_sectors_ = 0;  // of a block, by all rows
    double block_ns_ = 0;      // of the launch, for each cycle that a block keeps an SM busy
    double wave_ns_ = 0;       // of the launch, for each cycle that a block waits
    double load_latency_ = 0;  // cycles, of global memory
};

}  // namespace autoschedule_gpu
