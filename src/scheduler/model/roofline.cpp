#include "scheduler/model/roofline.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/gpu/occupancy.h"
#include "scheduler/model/host_cost.h"
#include "scheduler/model/instruction_count.h"

namespace autoschedule_gpu {

namespace {

// Constants without a source of their own are those with which 77 kernels of ten applications come
// closest to their simulated times (test/judge); left out one by one, the applications give about
// the same ones. "Measured" means on an H200, by kernels that do one thing (apps/measured).

// Requests for data that the block has had before and that L1 passes on nevertheless (in the
// simulator; the counters of an H200 say 0 to 0.02).
constexpr double kLeastMisses = 0.1;
// What a block reads again it reads soon: after so many passes of its loops a sector is done with.
constexpr double kPassesOfReuse = 4;
// The share of L2 whose data outlive the kernel before.
constexpr double kKeptByL2 = 0.25;
// Loads of a thread that are on their way at once: compilers leave few between a load and its use,
// but all that one point needs come before its arithmetic (read off the PTX of stencils), and of
// those this share is.
constexpr double kLoadsInFlight = 2, kShareInFlight = 0.25, kSharedLoadsInFlight = 1.5;
// The same of shared memory by the machine code for sm_90 of 70 schedules (the median where there
// are 17 loads and more), where what waits is counted.
constexpr double kSharedLoadsTogether = 20;
// In a loop, the instructions of so many points are independent of each other; an expression that
// is written out once is worked off point by point.
constexpr double kIndependentPoints = 4;
// What a thread does before its first stage: where it is and where its data are.
constexpr double kEntryInstructions = 40;
// A value that is spilled is stored and loaded, a line of L1 each time for a warp.
constexpr double kSpillAccesses = 2;
// The L2 cache does atomic operations where the element is, sector by sector of what a warp sends,
// one operation of an element after the other; so many cycles each (measured: 1M lanes on one line
// in 81 us, on one element in 769, of floats in 1,843).
constexpr double kAtomicSectorCycles = 1.2, kAtomicCycles = 1.5, kFloatAtomicCycles = 3.5;
// Lines lie in slices of L2 as if thrown (measured: 32 lines take as long as if 8 were in turn).
constexpr double kL2Slices = 48;
// The device begins so many blocks in a cycle, however small they are (measured: 100,000 empty
// blocks of 32 or of 256 threads in 61 us).
constexpr double kBlocksPerCycle = 0.82;
// An SM lets one warp pass a barrier in so many cycles; a block alone waits so long besides
// (measured with blocks of 32 to 1,024 threads).
constexpr double kBarrierCyclesPerWarp = 2, kBarrierCycles = 13;

// What L1 and L2 leave of a kernel's reads.
struct Caches {
    double l2_read_sectors = 0;   // per block
    double l2_spill_sectors = 0;  // per block, read and written
    double load_cycles = 0;       // until a load's value is there
    double first_sectors = 0;     // that a block asks for the first time
    double beyond = 0;            // of the other sectors, the share that L1 has no room for
    double far = 0;               // of what L1 lacks, the share that L2 lacks
    double spill_cycles = 0;      // the same of a value that was spilled
};

// What a stage loads of global memory, where it is counted how often a thread waits for that.
struct CountedLoads {
    double trips = 0;
    double new_trips = 0;    // of these, for something that L1 lacks
    double new_sectors = 0;  // of a block, which L1 lacks
    double far = 0;          // of these, the share that L2 lacks
};

struct BlockWork {
    double issue = 0, fp32 = 0, fp64 = 0, fp16 = 0, int32 = 0, special = 0;  // SM cycles
    double load_store = 0, barriers = 0;                                     // SM cycles
    // Cycles of one block alone: stages run after each other, each as long as its few warps take.
    double alone = 0;
};

double sectors_of_loads(const StageFeatures &s) {
    return s.num_global_mem_loads_per_block - s.num_global_atomics_per_block;
}

// The passes of the loop in which a block reads most of its data.
double passes_of_loads(const FeatureTable &table, double requested) {
    constexpr double kMuch = 0.3;
    double most = 1;
    for (const StageFeatures &s : table.stages) {
        if (sectors_of_loads(s) > kMuch * requested) most = std::max(most, passes(s));
    }
    return most;
}

// Loads and stores of spilled values, of all warps of a block.
double spill_accesses(const KernelFeatures &k) {
    return kSpillAccesses * k.num_warps_per_block * k.spills_per_thread;
}

// Bytes in which a block keeps spilled values.
double spill_bytes(const GpuModel &gpu, const FeatureTable &table) {
    constexpr double kBytesPerValue = 4;
    if (table.kernel.spills_per_thread == 0) return 0;
    return table.kernel.num_warps_per_block * static_cast<double>(gpu.warp_size) * kBytesPerValue *
           table.kernel.spills_per_thread / executions(table);
}

// Where it is not known what is added up, what the stage computes is a guess: the place may have
// come of floats, too.
bool adds_floats(const StageFeatures &s) {
    if (s.added != Added::not_known) return s.added == Added::floats;
    return s.fp32_ops_per_thread + s.fp16_ops_per_thread + s.fp64_ops_per_thread > 0;
}

// The lines that the busiest slice has, of so many: about the greatest of as many sums.
double lines_of_busiest_slice(double lines) {
    const double mean = lines / kL2Slices;
    return std::clamp(mean + std::sqrt(2 * mean * std::log(kL2Slices)), 1.0, lines);
}

// Cycles of that slice at a stage's atomic operations on global memory. Lanes of one request that
// name the same element wait for each other; integers of a whole warp that all go to one element
// are added up before they are sent (read off machine code: by shuffles, later by one instruction).
double atomic_cycles(const GpuModel &gpu, const StageFeatures &s, double blocks) {
    // Of all values of a Tuple. Whoever makes a table by hand may leave it out.
    const double element_bytes = std::max(1.0, s.algorithm.bytes_per_point);
    const double requests = blocks * s.num_global_atomics_per_block;
    if (requests == 0) return 0;
    const double operations = s.atomics_per_thread * s.num_threads_per_block * blocks;
    const double instructions = s.atomics_per_thread * s.num_active_warps_per_block * blocks;
    const double elements = operations / std::max(1.0, s.atomics_per_element);
    // Of a sector that data leads to, it is not known how much is named: no more than there is.
    const double named = std::min(requests * s.global_mem_store_efficiency *
                                      static_cast<double>(gpu.l1_sector_bytes) / element_bytes,
                                  instructions * std::max(1.0, elements));
    const bool added_up = named <= instructions && !adds_floats(s);
    const double lanes = added_up ? 1 : std::max(1.0, operations / std::max(1.0, named));
    const double each = adds_floats(s) ? kFloatAtomicCycles : kAtomicCycles;
    const double lines =
        std::max(1.0, elements * element_bytes / static_cast<double>(gpu.cache_line_bytes));
    return requests / lines * lines_of_busiest_slice(lines) *
           (kAtomicSectorCycles + (lanes - 1) * each);
}

double sectors_per_line(const GpuModel &gpu) {
    return static_cast<double>(gpu.cache_line_bytes) / static_cast<double>(gpu.l1_sector_bytes);
}

// The bytes of L1 that shared memory leaves to data. Less than shared memory can't hold it: then L1
// is beside it, and all of it is there for data (AMD's, Apple's).
double room_of_l1(const GpuModel &gpu, double shared_bytes) {
    const bool apart = gpu.l1_bytes_per_sm < gpu.shared_bytes_per_sm;
    return std::max(4096.0, static_cast<double>(gpu.l1_bytes_per_sm) - (apart ? 0 : shared_bytes));
}

Caches caches(const GpuModel &gpu, const FeatureTable &table, double resident_blocks) {
    const KernelFeatures &k = table.kernel;
    double requested = 0;
    for (const StageFeatures &s : table.stages) requested += sectors_of_loads(s);
    const double distinct = std::min(k.block_global_read_sectors, requested);
    const double room = room_of_l1(gpu, resident_blocks * k.shared_bytes_per_block);
    const double wanted = resident_blocks * distinct * static_cast<double>(gpu.l1_sector_bytes) *
                          std::min(1.0, kPassesOfReuse / passes_of_loads(table, requested));
    const double spilled = resident_blocks * spill_bytes(gpu, table);
    const double beyond = wanted + spilled <= room ? 0 : 1 - room / (wanted + spilled);
    const double misses = std::max(kLeastMisses, beyond);
    Caches found;
    found.l2_read_sectors = distinct + misses * (requested - distinct);
    const double footprint = k.dram_bytes_read + k.dram_bytes_written;
    const double cold =
        std::clamp(footprint / static_cast<double>(gpu.l2_bytes) - kKeptByL2, 0.0, 1.0);
    const double read_once = k.global_bytes_read > 0 ? k.dram_bytes_read / k.global_bytes_read : 0;
    const double far = cold * std::min(1.0, read_once);
    const double beyond_l1 = requested > 0 ? found.l2_read_sectors / requested : 0;
    found.load_cycles = gpu.l1_latency_cycles +
                        beyond_l1 * (gpu.l2_latency_cycles +
                                     far * (gpu.dram_latency_cycles - gpu.l2_latency_cycles));
    found.first_sectors = distinct;
    found.beyond = beyond;
    const double l2_bytes =
        k.num_blocks * found.l2_read_sectors * static_cast<double>(gpu.l1_sector_bytes);
    found.far = l2_bytes > 0 ? std::min(1.0, k.dram_bytes_read / l2_bytes) : 0;
    found.l2_spill_sectors = beyond * spill_accesses(k) * sectors_per_line(gpu);
    found.spill_cycles = gpu.l1_latency_cycles + beyond * gpu.l2_latency_cycles;
    return found;
}

// Waiting for so many loads in so many passes, of which some are under way at once.
double load_wait(double loads, double passes, double cycles, double in_flight) {
    return cycles * (loads < passes ? loads : std::max(passes, loads / in_flight));
}

// Those of the steps of a scan that load ahead are on their way together.
double loads_in_flight(const StageFeatures &s) {
    if (s.steps_ahead > 1) return s.global_loads_per_thread / passes(s);
    const double points = passes(s) * std::max(1.0, s.unrolled_points);
    return std::max(kLoadsInFlight, s.global_loads_per_thread / points * kShareInFlight);
}

// Waiting for loads of global memory. Where one of those that are on their way together is of a
// sector that L1 lacks, all wait for it, and so do the other warps of the block: they want the same
// one, or other new ones, at the same time. (The products of the experts load three vectors a step,
// of which L1 has 84 %, and wait 560 cycles for them by the counters of an H200.) How many of the
// warps share what comes from DRAM is not known.
double wait_of_trips(const GpuModel &gpu, const StageFeatures &s, const CountedLoads &loads) {
    const double far_of_warp =
        loads.far * loads.new_sectors / std::max(1.0, s.num_active_warps_per_block);
    return loads.trips * gpu.l1_latency_cycles +
           loads.new_trips * (gpu.l2_latency_cycles - gpu.l1_latency_cycles) +
           std::min(loads.new_trips, far_of_warp) *
               (gpu.dram_latency_cycles - gpu.l2_latency_cycles);
}

double global_wait(const GpuModel &gpu, const StageFeatures &s, double load_cycles,
                   const CountedLoads *counted) {
    if (counted != nullptr) return wait_of_trips(gpu, s, *counted);
    return load_wait(s.global_loads_per_thread, passes(s), load_cycles, loads_in_flight(s));
}

// Cycles of one warp of the stage alone.
double cycles_alone(const GpuModel &gpu, const StageFeatures &s, double load_cycles,
                    const CountedLoads *counted) {
    const bool in_loop = passes(s) > 1;
    const double independent = in_loop ? std::clamp(s.unrolled_points, 1.0, kIndependentPoints) : 1;
    return instructions(s) * std::max(1.0, gpu.arithmetic_latency_cycles / independent) +
           global_wait(gpu, s, load_cycles, counted) +
           load_wait(s.shared_loads_per_thread, passes(s), gpu.shared_latency_cycles,
                     counted != nullptr ? kSharedLoadsTogether : kSharedLoadsInFlight) +
           load_wait(s.local_accesses_per_thread, 1, gpu.l1_latency_cycles, kLoadsInFlight);
}

// `counted` may be null.
void add_stage(const GpuModel &gpu, const StageFeatures &s, double load_cycles,
               const CountedLoads *counted, BlockWork &work) {
    const double warp = static_cast<double>(gpu.warp_size);
    const double warps = s.num_active_warps_per_block;
    const double memory = memory_instructions(s);
    const double stalls = 1 + fetch_stalls(s);
    const double issue =
        warps * instructions(s) * stalls / static_cast<double>(gpu.warp_schedulers_per_sm);
    work.issue += issue;
    const auto pipe = [&](double ops, int64_t lanes) {
        return stalls * warps * warp * ops / static_cast<double>(lanes);
    };
    work.fp32 += pipe(fp32_instructions(s), gpu.fp32_lanes_per_sm);
    work.fp16 += pipe(s.fp16_ops_per_thread, gpu.fp16_lanes_per_sm);
    work.fp64 += pipe(s.fp64_ops_per_thread, gpu.fp64_lanes_per_sm);
    work.int32 += pipe(int_instructions(s) + kAddressInstructions * memory, gpu.int32_lanes_per_sm);
    work.special += pipe(2 * s.special_ops_per_thread, gpu.special_lanes_per_sm);

    // L1 and shared memory make one pass through their banks per cycle; local memory is L1 with one
    // line per warp and access.
    const double lanes = warps * warp * memory / static_cast<double>(gpu.load_store_lanes_per_sm);
    const double transactions =
        global_wavefronts(s, sectors_per_line(gpu)) + s.num_shared_mem_loads_per_block +
        s.num_shared_mem_stores_per_block + warps * s.local_accesses_per_thread;
    const double load_store = std::max(lanes, transactions);
    work.load_store += load_store;
    work.alone += std::max({issue, load_store, cycles_alone(gpu, s, load_cycles, counted)});
}

// Of a stage that asks for so many sectors, the first of them new to its block.
CountedLoads counted_loads(const Roofline::LoadTrips &trips, double first, double sectors,
                           const Caches &cached) {
    const double new_sectors = first + cached.beyond * (sectors - first);
    const double new_trips = trips.with_new + cached.beyond * (trips.all - trips.with_new);
    return {trips.all, std::min(new_trips, new_sectors), new_sectors, cached.far};
}

BlockWork block_work(const GpuModel &gpu, const FeatureTable &table, const Caches &cached,
                     std::span<const Roofline::LoadTrips> load_trips) {
    const KernelFeatures &k = table.kernel;
    BlockWork work;
    work.issue = (k.num_warps_per_block * kEntryInstructions + spill_accesses(k)) /
                 static_cast<double>(gpu.warp_schedulers_per_sm);
    work.load_store = spill_accesses(k);
    work.barriers = k.barriers_per_block * kBarrierCyclesPerWarp * k.num_warps_per_block;
    work.alone = kEntryInstructions * gpu.arithmetic_latency_cycles +
                 k.barriers_per_block * kBarrierCycles + work.barriers +
                 load_wait(k.spills_per_thread, 1, cached.spill_cycles, kLoadsInFlight);
    // What a stage has loaded, the next ones find in L1.
    double first = cached.first_sectors;
    for (size_t i = 0; i < table.stages.size(); ++i) {
        const StageFeatures &s = table.stages[i];
        const double sectors = sectors_of_loads(s), now = std::min(first, sectors);
        std::optional<CountedLoads> counted;
        if (!load_trips.empty()) counted = counted_loads(load_trips[i], now, sectors, cached);
        add_stage(gpu, s, cached.load_cycles, counted ? &*counted : nullptr, work);
        first -= now;
    }
    return work;
}

}  // namespace

std::string_view Roofline::Terms::bound_by() const {
    const std::pair<double, std::string_view> terms[] = {{launch, "launch"},
                                                         {arithmetic, "arithmetic"},
                                                         {load_store, "load_store"},
                                                         {l2, "l2"},
                                                         {dram, "dram"},
                                                         {latency, "latency"},
                                                         {blocks, "blocks"},
                                                         {barriers, "barriers"}};
    return std::max_element(std::begin(terms), std::end(terms),
                            [](const auto &a, const auto &b) { return a.first < b.first; })
        ->second;
}

Roofline::Terms Roofline::explain(const FeatureTable &table,
                                  std::span<const LoadTrips> load_trips) const {
    const KernelFeatures &k = table.kernel;
    Terms terms;
    terms.launch = gpu_.kernel_launch_us * 1000;
    if (k.on_host > 0) {
        terms.launch = kHostCopyNs;
        terms.arithmetic = host_compute_ns(table);
        terms.total = terms.launch + terms.arithmetic;
        return terms;
    }
    if (k.num_blocks == 0) return {};
    const double registers =
        std::min(k.registers_per_thread, static_cast<double>(gpu_.max_registers_per_thread));
    const Occupancy occupied =
        occupancy(gpu_, static_cast<int64_t>(k.threads_per_block), static_cast<int64_t>(registers),
                  static_cast<int64_t>(k.shared_bytes_per_block));
    terms.warp_occupancy = occupied.warp_occupancy;
    const double busiest =
        std::max(1.0, std::ceil(k.num_blocks / static_cast<double>(gpu_.sm_count)));
    const double resident =
        std::min(busiest, std::max<double>(1, static_cast<double>(occupied.blocks_per_sm)));
    const double sector = static_cast<double>(gpu_.l1_sector_bytes);
    double stored = 0, atomic = 0, atomic_slice = 0;
    for (const StageFeatures &s : table.stages) {
        stored += s.num_global_mem_stores_per_block;
        atomic += s.num_global_atomics_per_block;
        atomic_slice += atomic_cycles(gpu_, s, k.num_blocks);
    }
    const Caches cached = caches(gpu_, table, resident);
    const BlockWork work = block_work(gpu_, table, cached, load_trips);
    const double arithmetic =
        std::max({work.issue, work.fp32, work.fp16, work.fp64, work.int32, work.special});
    terms.arithmetic = busiest * arithmetic / gpu_.clock_ghz;
    terms.load_store = busiest * work.load_store / gpu_.clock_ghz;
    terms.barriers = busiest * work.barriers / gpu_.clock_ghz;
    terms.blocks = k.num_blocks / kBlocksPerCycle / gpu_.clock_ghz;
    terms.latency = busiest / resident * work.alone / gpu_.clock_ghz;
    const double l2_bytes = k.num_blocks * sector *
                            (cached.l2_read_sectors + cached.l2_spill_sectors + stored + atomic);
    terms.l2 = std::max(l2_bytes / gpu_.l2_bandwidth_gb_per_s, atomic_slice / gpu_.clock_ghz);
    terms.dram = (k.dram_bytes_read + k.dram_bytes_written) / gpu_.dram_bandwidth_gb_per_s;

    const double sm = std::max({terms.arithmetic, terms.load_store, terms.barriers, terms.blocks});
    const double sum = sm + terms.l2 + terms.dram + terms.latency;
    const double most = std::max({sm, terms.l2, terms.dram, terms.latency});
    terms.total = terms.launch + most + kOverlap * (sum - most);
    return terms;
}

void Roofline::estimate(ArrayView<const FeatureTable> tables, ArrayView<double> costs) const {
    for (size_t i = 0; i < tables.size(); ++i) costs[i] = explain(tables[i]).total;
}

}  // namespace autoschedule_gpu
