#include "scheduler/model/network_terms.h"

#include <algorithm>
#include <cmath>

#include "scheduler/model/instruction_count.h"

namespace autoschedule_gpu {

namespace {

// Bytes of a register, and of what a load reads.
constexpr double kWordBytes = 4;
// A spilled value is written once and read back about twice.
constexpr double kAccessesOfSpill = 3;
// Points of an unrolled tile that the hardware overlaps at most.
constexpr double kMostIndependent = 8;

// Also where a product of huge features was not a number.
float bounded_ns(double ns) {
    return ns < kMostTermNs ? static_cast<float>(std::max(0.0, ns)) : kMostTermNs;
}

double share(double part, double whole, bool last) {
    return whole > 0 ? part / whole : last ? 1.0 : 0.0;
}

}  // namespace

struct CostTermsOfKernel::Work {
#define X(name, initial, meaning) double name = 0;
    AUTOSCHEDULE_GPU_COST_TERMS(X)
#undef X
};

PeakRates::PeakRates(const GpuModel &gpu)
    : sms(gpu.sm_count),
      ns_per_cycle(1 / gpu.clock_ghz),
      ns_per_l2_byte(1 / gpu.l2_bandwidth_gb_per_s),
      ns_per_dram_byte(1 / gpu.dram_bandwidth_gb_per_s),
      bytes_per_sector(gpu.l1_sector_bytes),
      launch_ns(1000 * gpu.kernel_launch_us),
      most_resident_blocks(gpu.max_blocks_per_sm),
      warp_size(gpu.warp_size),
      warps_per_cycle(gpu.warp_schedulers_per_sm),
      fp32_per_cycle(gpu.fp32_lanes_per_sm),
      fp16_per_cycle(gpu.fp16_lanes_per_sm),
      fp64_per_cycle(gpu.fp64_lanes_per_sm),
      int32_per_cycle(gpu.int32_lanes_per_sm),
      special_per_cycle(gpu.special_lanes_per_sm),
      addresses_per_cycle(gpu.load_store_lanes_per_sm),
      sectors_per_cycle(static_cast<double>(gpu.cache_line_bytes) / gpu.l1_sector_bytes),
      l1_bytes_per_cycle(gpu.cache_line_bytes),
      shared_bytes_per_cycle(gpu.shared_banks * gpu.shared_bank_bytes),
      register_bytes_per_cycle(kWordBytes * gpu.fp32_lanes_per_sm),
      arithmetic_latency(gpu.arithmetic_latency_cycles),
      shared_latency(gpu.shared_latency_cycles),
      l1_latency(gpu.l1_latency_cycles),
      l2_latency(gpu.l2_latency_cycles),
      dram_latency(gpu.dram_latency_cycles) {}

CostTermsOfKernel::CostTermsOfKernel(const PeakRates &rates, const FeatureTable &table)
    : rates_(rates), table_(table) {
    const KernelFeatures &k = table.kernel;
    for (const StageFeatures &s : table.stages) {
        load_sectors_ += s.num_global_mem_loads_per_block;
        store_sectors_ += s.num_global_mem_stores_per_block;
    }
    const double busiest = k.num_blocks / rates.sms * std::max(1.0, k.idle_core_wastage);
    const double resident = std::max(1.0, k.max_block_occupancy * rates.most_resident_blocks);
    block_ns_ = busiest * rates.ns_per_cycle;
    wave_ns_ = std::ceil(busiest / resident) * rates.ns_per_cycle;
    const double far = k.global_bytes_read > 0 ? k.dram_bytes_read / k.global_bytes_read : 0;
    load_latency_ = rates.l2_latency + std::min(1.0, far) * (rates.dram_latency - rates.l2_latency);
}

void CostTermsOfKernel::add_arithmetic(const StageFeatures &s, Work &work) const {
    const double warps = s.num_active_warps_per_block;
    const double used_lanes = std::max(1 / rates_.warp_size, 1 - s.idle_lane_wastage);
    const double point_ns = block_ns_ / (rates_.fp32_per_cycle * used_lanes);
    const double blocks = std::max(1.0, table_.kernel.num_blocks);
    work.scalars = point_ns * s.num_scalars / blocks;
    work.points = point_ns * s.num_threads_per_block * s.points_computed_per_thread;

    work.issue = block_ns_ * warps * instructions(s) / rates_.warps_per_cycle;
    work.fetch = work.issue * fetch_stalls(s);
    const double lanes_ns = block_ns_ * warps * rates_.warp_size;
    work.fp32 = lanes_ns * fp32_instructions(s) / rates_.fp32_per_cycle;
    work.fp16 = lanes_ns * s.fp16_ops_per_thread / rates_.fp16_per_cycle;
    work.fp64 = lanes_ns * s.fp64_ops_per_thread / rates_.fp64_per_cycle;
    work.integer = lanes_ns *
                   (int_instructions(s) + kAddressInstructions * memory_instructions(s)) /
                   rates_.int32_per_cycle;
    work.special = lanes_ns * 2 * s.special_ops_per_thread / rates_.special_per_cycle;
}

void CostTermsOfKernel::add_memory(const StageFeatures &s, bool last, Work &work) const {
    const KernelFeatures &k = table_.kernel;
    const double warps = s.num_active_warps_per_block;
    const double loads = s.num_global_mem_loads_per_block;
    const double stores = s.num_global_mem_stores_per_block;
    const double l2_sector_ns = rates_.bytes_per_sector * rates_.ns_per_l2_byte;
    work.global_loads = k.num_blocks * loads * l2_sector_ns;
    work.distinct_loads = k.num_blocks * k.block_global_read_sectors *
                          share(loads, load_sectors_, last) * l2_sector_ns;
    work.global_stores = k.num_blocks * stores * l2_sector_ns;
    work.global_atomics = k.num_blocks * s.num_global_atomics_per_block * l2_sector_ns;
    if (s.global_innermost_bytes_at_task > 0) {
        work.store_sharing = s.num_scalars / s.global_innermost_bytes_at_task * l2_sector_ns;
    }
    work.dram_reads =
        k.dram_bytes_read * share(loads, load_sectors_, last) * rates_.ns_per_dram_byte;
    work.dram_writes =
        k.dram_bytes_written * share(stores, store_sectors_, last) * rates_.ns_per_dram_byte;

    work.shared_loads = block_ns_ * s.num_shared_mem_loads_per_block;
    work.shared_stores = block_ns_ * s.num_shared_mem_stores_per_block;
    work.local_accesses = block_ns_ * warps * s.local_accesses_per_thread;
    const double addresses =
        block_ns_ * warps * rates_.warp_size / rates_.addresses_per_cycle * memory_instructions(s);
    const double wavefronts = global_wavefronts(s, rates_.sectors_per_cycle);
    const double transactions =
        block_ns_ * wavefronts + work.shared_loads + work.shared_stores + work.local_accesses;
    work.memory_pipe = std::max(addresses, transactions);
    if (last) {
        work.spills = block_ns_ * k.num_warps_per_block * kAccessesOfSpill * k.spills_per_thread;
    }
    work.atomics =
        block_ns_ * warps * rates_.warp_size / rates_.addresses_per_cycle * s.atomics_per_thread;
    work.same_element_atomics = s.atomics_per_element * rates_.ns_per_cycle;
}

void CostTermsOfKernel::add_footprints(const StageFeatures &s, Work &work) const {
    const KernelFeatures &k = table_.kernel;
    const double sm_ns = rates_.ns_per_cycle / rates_.sms;  // per cycle, were all SMs as busy
    const double l1_byte = sm_ns / rates_.l1_bytes_per_cycle;
    const double shared_byte = sm_ns / rates_.shared_bytes_per_cycle;
    const double register_byte = sm_ns / rates_.register_bytes_per_cycle;
    const double register_read = kWordBytes * register_byte;
    const double load = sm_ns / rates_.addresses_per_cycle;
    const double l2_byte = rates_.ns_per_l2_byte;
    const double l2_sector = rates_.bytes_per_sector * l2_byte;

    const double n = s.num_realizations;
    work.realizations = n * rates_.shared_latency * sm_ns;
    work.realization_global_bytes = n * s.unique_global_bytes_read_per_realization * l2_byte;
    work.realization_shared_bytes = n * s.unique_shared_bytes_read_per_realization * shared_byte;
    work.realization_register_bytes =
        n * s.unique_register_bytes_read_per_realization * register_byte;
    work.realization_global_lines = n * s.unique_global_lines_read_per_realization * l2_sector;
    work.realization_shared_lines = n * s.unique_shared_lines_read_per_realization * sm_ns;
    work.realization_register_lines =
        n * s.unique_register_lines_read_per_realization * register_read;

    const double threads = k.num_blocks * s.num_threads_per_block;
    work.thread_global_bytes = threads * s.unique_global_bytes_read_per_thread * l1_byte;
    work.thread_shared_bytes = threads * s.unique_shared_bytes_read_per_thread * shared_byte;
    work.thread_register_bytes = threads * s.unique_register_bytes_read_per_thread * register_byte;
    work.thread_global_lines = threads * s.unique_global_lines_read_per_thread * load;
    work.thread_shared_lines = threads * s.unique_shared_lines_read_per_thread * load;
    work.thread_register_lines = threads * s.unique_register_lines_read_per_thread * register_read;
    work.working_set = threads * s.working_set_at_thread * register_byte;
    work.register_accesses = threads * s.register_accesses_per_thread * register_read;

    work.point_bytes = s.num_scalars * s.unique_bytes_read_per_point * l1_byte;
    work.point_lines = s.num_scalars * s.unique_lines_read_per_point * load;
    work.task_bytes = k.num_blocks * s.unique_bytes_read_per_task * l2_byte;
    work.task_lines = k.num_blocks * s.unique_lines_read_per_task * l2_sector;
}

void CostTermsOfKernel::add_waiting(const StageFeatures &s, bool last, Work &work) const {
    const double independent = std::clamp(s.unrolled_points, 1.0, kMostIndependent);
    double wait = instructions(s) / passes(s) / independent * rates_.arithmetic_latency;
    if (s.global_loads_per_thread > 0) wait += load_latency_;
    if (s.shared_loads_per_thread > 0) wait += rates_.shared_latency;
    if (s.local_accesses_per_thread > 0) wait += rates_.l1_latency;
    work.latency = wave_ns_ * passes(s) * wait;
    if (!last) return;
    const KernelFeatures &k = table_.kernel;
    work.first_loads = wave_ns_ * rates_.dram_latency;
    work.barriers = wave_ns_ * k.barriers_per_block * rates_.shared_latency;
    work.blocks = k.num_blocks / rates_.sms * rates_.shared_latency * rates_.ns_per_cycle;
    work.launch = rates_.launch_ns;
}

CostTerms CostTermsOfKernel::of_row(size_t row) const {
    const StageFeatures &s = table_.stages[row];
    const bool last = row + 1 == table_.stages.size();
    Work work;
    add_arithmetic(s, work);
    add_memory(s, last, work);
    add_footprints(s, work);
    add_waiting(s, last, work);
    work.bottleneck = std::max(
        {work.issue, work.fp32, work.fp16, work.fp64, work.integer, work.special, work.memory_pipe,
         work.global_loads + work.global_stores, work.dram_reads + work.dram_writes, work.latency});
    return {
#define X(name, initial, meaning) .name = bounded_ns(work.name),
        AUTOSCHEDULE_GPU_COST_TERMS(X)
#undef X
    };
}

}  // namespace autoschedule_gpu
