#include "scheduler/model/roofline.h"

#include <algorithm>
#include <cmath>

#include "core/gpu/occupancy.h"
#include "scheduler/model/host_cost.h"
#include "scheduler/model/instruction_count.h"

namespace autoschedule_gpu {

namespace {

// The constants here are guesses; the learned model replaces them (scheduler/model/network.h).

// Requests that L1 passes on although the data would fit: they come before the line that another
// warp has asked for, or find it replaced. Many, since transactions are what can be counted of a
// schedule without a device (src/traffic), and what L1 saves of them can't.
constexpr double kLeastMisses = 0.9;
// Accesses of a value that is spilled: it is written once and read back about twice, and where the
// estimate says one, the compiler finds more.
constexpr double kSpillAccesses = 6;
// An element of global memory takes one atomic operation in so many cycles; the L2 cache does them
// where the element is. Data is never spread evenly over a histogram, hence more than the single
// cycle that one operation takes.
constexpr double kAtomicCycles = 4;

struct BlockWork {
    double issue = 0, fp32 = 0, fp64 = 0, fp16 = 0, int32 = 0, special = 0;  // SM cycles
    double load_store = 0;                                                   // SM cycles
    double latency = 0;                                                      // cycles of one block
};

void add_stage(const GpuModel &gpu, const StageFeatures &s, double load_latency, BlockWork &work) {
    const double warp = static_cast<double>(gpu.warp_size);
    const double warps = s.num_active_warps_per_block;
    const double memory = memory_instructions(s);
    const double per_thread = instructions(s);
    const double stalls = 1 + fetch_stalls(s);
    work.issue += warps * per_thread * stalls / static_cast<double>(gpu.warp_schedulers_per_sm);
    const auto pipe = [&](double ops, int64_t lanes) {
        return stalls * warps * warp * ops / static_cast<double>(lanes);
    };
    work.fp32 += pipe(fp32_instructions(s), gpu.fp32_lanes_per_sm);
    work.fp16 += pipe(s.fp16_ops_per_thread, gpu.fp16_lanes_per_sm);
    work.fp64 += pipe(s.fp64_ops_per_thread, gpu.fp64_lanes_per_sm);
    work.int32 += pipe(int_instructions(s) + kAddressInstructions * memory, gpu.int32_lanes_per_sm);
    work.special += pipe(2 * s.special_ops_per_thread, gpu.special_lanes_per_sm);

    // L1 hands out one line (four sectors) per cycle; shared memory one pass through the banks;
    // local memory is L1 with one line per warp and access.
    const double sectors_per_cycle =
        static_cast<double>(gpu.cache_line_bytes) / static_cast<double>(gpu.l1_sector_bytes);
    const double lanes = warps * warp * memory / static_cast<double>(gpu.load_store_lanes_per_sm);
    const double transactions =
        (s.num_global_mem_loads_per_block + s.num_global_mem_stores_per_block) / sectors_per_cycle +
        s.num_shared_mem_loads_per_block + s.num_shared_mem_stores_per_block +
        warps * s.local_accesses_per_thread;
    work.load_store += std::max(lanes, transactions);

    // One warp alone: each pass of the serial loops waits for its loads, then for a chain of
    // dependent operations; the points of an unrolled tile are independent of each other.
    const double independent = std::clamp(s.unrolled_points, 1.0, 8.0);
    const double chain = per_thread / passes(s) / independent * gpu.arithmetic_latency_cycles;
    double wait = 0;
    if (s.global_loads_per_thread > 0) wait += load_latency;
    if (s.shared_loads_per_thread > 0) wait += gpu.shared_latency_cycles;
    if (s.local_accesses_per_thread > 0) wait += gpu.l1_latency_cycles;
    work.latency += passes(s) * (wait + chain);
}

// Sectors that a block asks of L2: each distinct one once, and a share of the requests for what it
// has had before; the larger, the less the resident blocks' data fit into L1.
double l2_read_sectors(const GpuModel &gpu, const KernelFeatures &k, double requested,
                       double resident_blocks) {
    const double distinct = k.block_global_read_sectors;
    const double room = std::max(4096.0, static_cast<double>(gpu.l1_bytes_per_sm) -
                                             resident_blocks * k.shared_bytes_per_block);
    const double wanted = resident_blocks * distinct * static_cast<double>(gpu.l1_sector_bytes);
    const double misses = std::max(kLeastMisses, wanted <= room ? 0 : 1 - room / wanted);
    return distinct + misses * std::max(0.0, requested - distinct);
}

}  // namespace

std::string_view Roofline::Terms::bound_by() const {
    const std::pair<double, std::string_view> terms[] = {
        {launch, "launch"}, {arithmetic, "arithmetic"}, {load_store, "load_store"}, {l2, "l2"},
        {dram, "dram"},     {latency, "latency"}};
    return std::max_element(std::begin(terms), std::end(terms),
                            [](const auto &a, const auto &b) { return a.first < b.first; })
        ->second;
}

Roofline::Terms Roofline::explain(const FeatureTable &table) const {
    const KernelFeatures &k = table.kernel;
    Terms terms;
    terms.launch = gpu_.kernel_launch_us * 1000;
    if (k.on_host > 0) {
        terms.launch = kHostCopyNs;
        terms.arithmetic = host_compute_ns(table);
        terms.total = terms.launch + terms.arithmetic;
        return terms;
    }
    const double registers =
        std::min(k.registers_per_thread, static_cast<double>(gpu_.max_registers_per_thread));
    const Occupancy occupied =
        occupancy(gpu_, static_cast<int64_t>(k.threads_per_block), static_cast<int64_t>(registers),
                  static_cast<int64_t>(k.shared_bytes_per_block));
    terms.warp_occupancy = occupied.warp_occupancy;
    const double sms = static_cast<double>(gpu_.sm_count);
    const double resident = std::max<double>(1, static_cast<double>(occupied.blocks_per_sm));
    const double busiest = std::ceil(k.num_blocks / sms);  // blocks of the busiest SM
    const double sector = static_cast<double>(gpu_.l1_sector_bytes);

    double requested = 0, stored = 0, atomic = 0, same_element = 0;
    for (const StageFeatures &s : table.stages) {
        requested += s.num_global_mem_loads_per_block - s.num_global_atomics_per_block;
        stored += s.num_global_mem_stores_per_block;
        atomic += s.num_global_atomics_per_block;
        same_element += s.atomics_per_element;
    }
    const double far = k.global_bytes_read > 0 ? k.dram_bytes_read / k.global_bytes_read : 0;
    const double load_latency =
        gpu_.l2_latency_cycles +
        std::min(1.0, far) * (gpu_.dram_latency_cycles - gpu_.l2_latency_cycles);
    BlockWork work;
    for (const StageFeatures &s : table.stages) add_stage(gpu_, s, load_latency, work);
    work.load_store += k.num_warps_per_block * kSpillAccesses * k.spills_per_thread;
    work.latency += k.barriers_per_block * gpu_.shared_latency_cycles +
                    (k.spills_per_thread > 0 ? gpu_.l1_latency_cycles : 0);

    const double arithmetic =
        std::max({work.issue, work.fp32, work.fp16, work.fp64, work.int32, work.special});
    terms.arithmetic = busiest * arithmetic / gpu_.clock_ghz;
    terms.load_store = busiest * work.load_store / gpu_.clock_ghz;
    const double waves = std::ceil(busiest / resident);
    terms.latency = waves * work.latency / gpu_.clock_ghz;
    const double l2_bytes =
        k.num_blocks * sector * (l2_read_sectors(gpu_, k, requested, resident) + stored + atomic);
    terms.l2 = std::max(l2_bytes / gpu_.l2_bandwidth_gb_per_s,
                        same_element * kAtomicCycles / gpu_.clock_ghz);
    terms.dram = (k.dram_bytes_read + k.dram_bytes_written) / gpu_.dram_bandwidth_gb_per_s;

    const double sum = terms.arithmetic + terms.load_store + terms.l2 + terms.dram + terms.latency;
    const double most =
        std::max({terms.arithmetic, terms.load_store, terms.l2, terms.dram, terms.latency});
    terms.total = terms.launch + most + kOverlap * (sum - most);
    return terms;
}

void Roofline::estimate(ArrayView<const FeatureTable> tables, ArrayView<double> costs) const {
    for (size_t i = 0; i < tables.size(); ++i) costs[i] = explain(tables[i]).total;
}

}  // namespace autoschedule_gpu
