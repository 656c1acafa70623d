#include "compare/schedulers/predicted_time.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/gpu/memory_access.h"
#include "scheduler/model/instruction_count.h"

namespace autoschedule_gpu {

namespace {

constexpr double kBytesPerValue = 4;
// ptxas has loads of a thread on their way together up to so many words, in code without branches,
// be they words or vectors (medians of the machine code for sm_90 of the 35 applications' and
// kernels' schedules, ours and the experts': 9 to 12 words wherever there are 9 and more).
constexpr double kWordsInFlight = 10;
// It writes out loops, by four (apps/measured) but to no more than so many instructions (those of
// the inner loops there: 104 to 138).
constexpr double kWrittenOutPasses = 4, kWrittenOutInstructions = 120;

double product(const std::array<int64_t, 3> &extents) {
    return static_cast<double>(extents[0] * extents[1] * extents[2]);
}

// Where nothing is counted, nothing is shared out.
double share(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

// Of so many bytes that are read from DRAM and written, those that go there before the kernel ends.
double written_back(const GpuModel &gpu, double read, double written) {
    const double room = l2_filled_bytes(gpu);
    return written * std::max(0.0, 1 - share(room, read + written));
}

// How often a thread waits for loads of global memory: in each pass of its loops as ptxas writes
// them out, wherever one load waits for another, and for as many words as are on their way
// together. What is written out several times asks for what each time asks for.
Roofline::LoadTrips load_trips(const KernelPart &part, double blocks, const StageFeatures &stage) {
    const double lanes = blocks * part.lanes_at_work() * part.active_lane_share();
    const double iterations = share(part.serial_iterations, blocks);
    const double ordered = share(part.ordered_iterations, blocks);
    const double written_out = std::clamp(
        kWrittenOutInstructions * passes_of_code(stage) / std::max(1.0, instructions(stage)), 1.0,
        kWrittenOutPasses);
    const double passes_by_ptxas =
        std::max(share(part.executions, blocks), (iterations - ordered) / written_out + ordered);
    const double words = share(part.access_load_bytes, lanes) / kBytesPerValue;
    const double trips =
        std::min(stage.global_loads_per_thread, std::max(passes_by_ptxas, words / kWordsInFlight) +
                                                    share(part.global_waits, blocks));
    const double new_trips = std::max(share(part.new_load_groups, blocks),
                                      trips * share(part.new_load_groups, part.load_groups));
    return {trips, std::min(trips, new_trips)};
}

// What a block does between two barriers, as a stage of the model's. A warp takes as long with few
// of its lanes at work as with all, so the work is that of all lanes of the warps that take part.
StageFeatures stage_of(const KernelPart &part, double blocks, const GpuModel &model) {
    const auto sector = static_cast<double>(model.l1_sector_bytes);
    const double lanes = blocks * part.lanes_at_work() * part.active_lane_share();
    const double arithmetic = part.float_operations + part.integer_operations;
    const double floats = share(part.float_operations, arithmetic);
    // The model reckons so many for the addresses itself; here they are counted.
    const double index =
        std::max(0.0, part.other_operations - kAddressInstructions * part.memory_instructions());
    StageFeatures stage;
    stage.num_active_warps_per_block = part.lanes_at_work() / static_cast<double>(model.warp_size);
    // Doubles may have more of the special operations than their share.
    const double singles =
        part.float_operations - part.double_operations - floats * part.special_operations;
    stage.fp32_ops_per_thread = share(std::max(0.0, singles), lanes);
    stage.fp64_ops_per_thread = share(part.double_instructions, lanes);
    stage.fp32_fused_per_thread = share(part.fused_float_operations, lanes);
    stage.int_fused_per_thread = share(part.fused_integer_operations, lanes);
    stage.int_ops_per_thread =
        share(part.integer_operations - (1 - floats) * part.special_operations + index, lanes);
    stage.special_ops_per_thread = share(part.special_operations, lanes);
    stage.global_loads_per_thread = share(part.global_loads, lanes);
    stage.global_stores_per_thread = share(part.global_stores, lanes);
    stage.shared_loads_per_thread = share(part.shared_loads, lanes);
    stage.shared_stores_per_thread = share(part.shared_stores, lanes);
    stage.local_accesses_per_thread = share(part.stack_access_bytes / kBytesPerValue, lanes);
    stage.num_global_mem_loads_per_block = share(part.transaction_load_bytes / sector, blocks);
    stage.num_global_mem_stores_per_block = share(part.transaction_store_bytes / sector, blocks);
    // Lanes that store to the same element ask for more than there is.
    stage.global_mem_store_efficiency =
        std::min(1.0, share(part.access_store_bytes, part.transaction_store_bytes));
    stage.global_load_wavefronts_per_block = share(part.global_load_wavefronts, blocks);
    stage.global_store_wavefronts_per_block = share(part.global_store_wavefronts, blocks);
    stage.num_shared_mem_loads_per_block = share(part.shared_wavefronts, blocks);
    stage.serial_iterations =
        share(std::max(part.serial_iterations, part.executions) + part.waits, blocks);
    stage.waiting_steps = share(part.waits, blocks);
    stage.unrolled_points = share(share(part.stored_elements, lanes), stage.serial_iterations);
    return stage;
}

// Adds what atomic operations on global memory there are, of which a kernel stores one Func.
void add_atomics(const KernelTraffic &traffic, const KernelPart &part, double blocks,
                 const GpuModel &model, StageFeatures &stage) {
    if (part.atomic_operations == 0) return;
    const auto sector = static_cast<double>(model.l1_sector_bytes);
    stage.num_threads_per_block = part.lanes_at_work() * part.active_lane_share();
    stage.atomics_per_thread = part.atomic_operations / (blocks * stage.num_threads_per_block);
    stage.num_global_atomics_per_block = part.atomic_sectors / blocks;
    stage.global_mem_store_efficiency = part.atomic_bytes / (part.atomic_sectors * sector);
    stage.atomics_per_element =
        share(part.atomic_operations, traffic.footprint_store_bytes / kBytesPerValue);
    stage.algorithm.bytes_per_point = kBytesPerValue;
}

}  // namespace

FeatureTable counted_features(const KernelTraffic &traffic, const PtxasKernel &code,
                              const GpuModel &model) {
    FeatureTable table;
    KernelFeatures &kernel = table.kernel;
    kernel.num_blocks = product(traffic.blocks);
    kernel.threads_per_block = product(traffic.threads);
    kernel.num_warps_per_block =
        std::ceil(kernel.threads_per_block / static_cast<double>(model.warp_size));
    kernel.barriers_per_block = share(traffic.barriers, traffic.launches * kernel.num_blocks);
    kernel.shared_bytes_per_block = static_cast<double>(traffic.shared_bytes);
    kernel.registers_per_thread = static_cast<double>(code.registers);
    // Each is stored and loaded.
    kernel.spills_per_thread =
        static_cast<double>(code.spill_store_bytes + code.spill_load_bytes) / (2 * kBytesPerValue);
    kernel.global_bytes_read = share(traffic.footprint_load_bytes, traffic.launches);
    kernel.dram_bytes_read =
        share(traffic.footprint_load_bytes - traffic.cached_load_bytes, traffic.launches);
    kernel.dram_bytes_written = written_back(
        model, kernel.dram_bytes_read,
        share(traffic.footprint_store_bytes - traffic.cached_store_bytes, traffic.launches));
    kernel.block_global_read_sectors =
        share(traffic.block_load_bytes,
              traffic.launches * kernel.num_blocks * static_cast<double>(model.l1_sector_bytes));
    const double blocks = traffic.launches * kernel.num_blocks;
    for (const KernelPart &part : traffic.parts) {
        table.stages.push_back(stage_of(part, blocks, model));
        add_atomics(traffic, part, blocks, model, table.stages.back());
    }
    // Compilers spill what no innermost loop needs: there as often as one begins, at most (counted
    // on an H200, apps/measured).
    double entries = 1;
    for (const KernelPart &part : traffic.parts) {
        entries = std::max(entries, share(part.loop_entries, blocks));
    }
    kernel.spills_per_thread *= entries;
    return table;
}

Roofline::Terms counted_terms(const KernelTraffic &traffic, const PtxasKernel &code,
                              const GpuModel &model) {
    const FeatureTable table = counted_features(traffic, code, model);
    std::vector<Roofline::LoadTrips> trips;
    for (size_t i = 0; i < traffic.parts.size(); ++i) {
        trips.push_back(load_trips(traffic.parts[i], traffic.launches * table.kernel.num_blocks,
                                   table.stages[i]));
    }
    return Roofline(model).explain(table, trips);
}

double predicted_ms(const KernelTraffic &traffic, const PtxasKernel &code, const GpuModel &model) {
    constexpr double kMsPerNs = 1e-6;
    return traffic.launches * counted_terms(traffic, code, model).total * kMsPerNs;
}

}  // namespace autoschedule_gpu
