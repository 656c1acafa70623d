#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <memory_resource>
#include <utility>
#include <vector>

#include "core/dag/scans.h"
#include "scheduler/features/feature_groups.h"
#include "scheduler/features/global_reads.h"
#include "scheduler/features/lane_access.h"

namespace autoschedule_gpu {

namespace {

// Returns the sectors of runs of bytes: the mean over the places where a run of whole elements may
// start.
double sectors_of_runs(double runs, double run, double element, double sector) {
    return runs * (run + sector - std::min(element, sector)) / sector;
}

// Returns how many elements one instruction may store, up to 16 bytes: the iterations of an
// unrolled loop that go on in memory where the one before ends. A power of two.
double vector_width(const KernelFacts &facts, const StageFacts &stage) {
    const AccessMatrix &store = facts.dag.stage(stage.stage).store;
    const Func &func = facts.dag.func(stage.func);
    int64_t width = 1;
    for (size_t d = 0; d < store.dims(); ++d) {
        if (std::abs(facts.stride(stage.func, d)) != 1) continue;
        for (size_t i = 0; i < stage.unrolled.size(); ++i) {
            const Coefficient &c = store.at(d, i);
            if (!c.known || std::abs(c.value) != 1) continue;
            const uint64_t written = static_cast<uint64_t>(stage.unrolled[i]);
            width = std::max(width, int64_t{1} << std::countr_zero(written));
        }
    }
    constexpr int64_t kMostBytes = 16;
    const int64_t bytes = std::max<int64_t>(1, func.values.empty() ? 1 : func.values[0].bytes());
    return static_cast<double>(std::min(width, std::max<int64_t>(1, kMostBytes / bytes)));
}

void add_global_memory(const KernelFacts &facts, const StageFacts &stage, AccessMemo &memo,
                       StageFeatures &row) {
    const GlobalTraffic loads = global_traffic(facts, stage, Direction::load, memo);
    row.global_loads_per_thread = loads.accesses;
    row.num_global_mem_loads_per_block = loads.sectors;
    row.global_mem_load_efficiency = loads.efficiency;
    row.global_load_wavefronts_per_block = loads.wavefronts;
    const GlobalTraffic stores = global_traffic(facts, stage, Direction::store, memo);
    row.global_stores_per_thread = stores.accesses;
    row.num_global_mem_stores_per_block = stores.sectors;
    row.global_mem_store_efficiency = stores.efficiency;
    row.global_store_wavefronts_per_block = stores.wavefronts;
    row.vector_width = vector_width(facts, stage);
}

enum class Moves : uint8_t { not_at_all, to_neighbours, elsewhere };

// Where an access goes from one iteration of a loop to the next.
Moves moves_of(const Func &func, const AccessMatrix &access, size_t loop) {
    Moves moves = Moves::not_at_all;
    for (size_t d = 0; d < access.dims(); ++d) {
        const Coefficient &c = access.at(d, loop);
        if (c.known && c.value == 0) continue;
        const bool near =
            c.known && std::abs(c.value * static_cast<double>(func.dims[d].stride)) <= 1;
        if (!near || moves != Moves::not_at_all) return Moves::elsewhere;
        moves = Moves::to_neighbours;
    }
    return moves;
}

// Returns the sectors of what a load accesses while loops run over these ranges, as if no two
// iterations led to the same element.
double accessed_sectors(const Func &func, const FlatLoad &load, std::span<const Interval> ranges,
                        double sector) {
    double runs = 1, elements = 1;
    for (size_t i = 0; i < ranges.size(); ++i) {
        const auto trips = static_cast<double>(ranges[i].extent());
        const Moves moves = moves_of(func, load.access, i);
        if (moves == Moves::to_neighbours) elements *= trips;
        if (moves == Moves::elsewhere) runs *= trips;
    }
    const auto element = static_cast<double>(func.bytes_per_point());
    return sectors_of_runs(runs, elements * element, element, sector);
}

// Returns how often the loads of a stage go through what its ranges in a block say. Those of the
// kernel's own stage have all that the block loads; others have one tile of a walk, and in a loop
// of another Func one iteration.
double times_through_ranges(const KernelFacts &facts, const StageFacts &stage) {
    if (facts.is_root(stage)) return 1;
    const Band &band = *stage.threads->band;
    const double iterations = static_cast<double>(loop_iterations(facts.dag, band.loop));
    const bool one_iteration = stage.owns_threads() && !has_own_loop(band);
    return stage.threads->loop_iterations / (one_iteration ? 1 : iterations);
}

// The same of all loads of a block, by Func. The box that a long stride goes through has many more.
std::span<const double> accessed_sectors(const KernelFacts &facts, std::span<const FuncId> funcs,
                                         ExtractionScratch &scratch) {
    const std::span<double> sectors = scratch.array<double>(funcs.size());
    std::vector<Interval> ranges_of_member;
    for (const StageFacts &stage : facts.stages) {
        std::span<const Interval> ranges = facts.block_ranges;
        if (!facts.is_root(stage)) {
            stage_ranges(facts.dag, stage.stage, facts.block->box(stage.func), ranges_of_member);
            ranges = ranges_of_member;
        }
        for (const FlatLoad &load : stage.flat->loads) {
            if (facts.memory_of(load.producer) != MemoryKind::global) continue;
            const auto found = std::ranges::find(funcs, load.producer);
            if (found == funcs.end()) continue;
            sectors[static_cast<size_t>(found - funcs.begin())] +=
                times_through_ranges(facts, stage) * stage.flat->sites_at_a_point(load) *
                accessed_sectors(facts.dag.func(load.producer), load, ranges,
                                 static_cast<double>(facts.gpu.l1_sector_bytes));
        }
    }
    return sectors;
}

// Adds what the whole launch reads but for the kernel's own Func, of which the loads of a block
// request so many sectors.
void add_read(const KernelFacts &facts, double requested, ExtractionScratch &scratch,
              KernelFeatures &row) {
    const double sector = static_cast<double>(facts.gpu.l1_sector_bytes);
    double block_sectors = 0;
    double kept = 0;  // of arrays each of which L2 has room for
    const std::vector<FuncId> &funcs = facts.block->funcs();
    const std::span<const double> accessed = accessed_sectors(facts, funcs, scratch);
    for (size_t i = 0; i < funcs.size(); ++i) {
        const FuncId id = funcs[i];
        if (facts.memory_of(id) != MemoryKind::global || is_inlined(facts.kernel, id)) continue;
        const Func &func = facts.dag.func(id);
        block_sectors +=
            std::min(accessed[i], distinct_sectors(func, facts.block->box(id), sector));
        const double bytes = static_cast<double>(func.bytes_per_point()) * facts.grid->points(id);
        row.global_bytes_read += bytes;
        (is_read_from_dram(facts.gpu, func) ? row.dram_bytes_read : kept) += bytes;
    }
    row.dram_bytes_read += std::max(0.0, kept - l2_filled_bytes(facts.gpu));
    row.block_global_read_sectors = block_sectors;
    const double all_requested = requested * facts.blocks * sector;
    row.global_bytes_read = std::min(row.global_bytes_read, all_requested);
    row.dram_bytes_read = std::min(row.dram_bytes_read, all_requested);
}

// Whether the kernel has another stage of its own Func, which writes what the update reads.
bool begins_own_func(const KernelFacts &facts) {
    const Stage &own = facts.dag.stage(facts.kernel.stage);
    return std::ranges::any_of(facts.stages, [&](const StageFacts &other) {
        return other.func == own.func && other.stage != facts.kernel.stage;
    });
}

// What an update reads of its own Func.
struct OwnReads {
    double bytes = 0;          // of the whole launch
    double block_sectors = 0;  // of a block
};

// Where it does not store: the columns that one is compared with.
OwnReads reads_elsewhere(const KernelFacts &facts) {
    const Func &own = facts.dag.func_of(facts.kernel.stage);
    const auto sector = static_cast<double>(facts.gpu.l1_sector_bytes);
    OwnReads reads;
    for (const FlatLoad &load : facts.stages.back().flat->loads) {
        const bool elsewhere = load.source == FlatStage::kOwn && load.in_place < load.sites;
        if (!elsewhere || load.is_gather) continue;
        double points = 1;
        for (size_t i = 0; i < facts.grid_ranges.size(); ++i) {
            if (load.access.moves(i)) points *= static_cast<double>(facts.grid_ranges[i].extent());
        }
        reads.bytes = std::max(reads.bytes, points * static_cast<double>(own.bytes_per_point()));
        reads.block_sectors =
            std::max(reads.block_sectors, accessed_sectors(own, load, facts.block_ranges, sector));
    }
    reads.bytes = std::min(reads.bytes, whole_bytes(own));
    return reads;
}

// Adds what the launch writes, and reads to add to it; the stores of a block write so many sectors.
void add_written(const KernelFacts &facts, double sectors, KernelFeatures &row) {
    const Func &own = facts.dag.func_of(facts.kernel.stage);
    const double whole = facts.stages.back().points > 0 ? whole_bytes(own) : 0;
    const double stored = sectors * facts.blocks * static_cast<double>(facts.gpu.l1_sector_bytes);
    const double written = std::min(whole, stored);
    if (own.is_output() || whole > l2_resident_bytes(facts.gpu)) row.dram_bytes_written = written;
    if (!adds_to_own(facts.dag, facts.kernel.stage)) return;
    const auto sector = static_cast<double>(facts.gpu.l1_sector_bytes);
    OwnReads read{written, written / (facts.blocks * sector)};
    const OwnReads elsewhere = reads_elsewhere(facts);
    if (elsewhere.bytes > written) read = elsewhere;
    if (!reads_back_what_it_stores(facts)) {
        row.global_bytes_read += read.bytes;
        if (row.dram_bytes_written > 0) row.dram_bytes_read += read.bytes;
    }
    // What another kernel wrote is in no block's L1: a scan waits for each of its elements.
    if (begins_own_func(facts)) return;
    row.block_global_read_sectors += std::max(1.0, read.block_sectors);
}

}  // namespace

double distinct_sectors(const Func &func, std::span<const Interval> box, double sector) {
    std::array<std::byte, 256> room;
    std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
    std::pmr::vector<std::pair<double, double>> dims(&memory);  // bytes per step, steps
    dims.reserve(box.size());
    const double bytes = static_cast<double>(func.bytes_per_point());
    for (size_t d = 0; d < box.size(); ++d) {
        const double stride = std::abs(static_cast<double>(func.dims[d].stride)) * bytes;
        dims.emplace_back(stride, static_cast<double>(box[d].extent()));
    }
    std::sort(dims.begin(), dims.end());
    double run = bytes, runs = 1;
    for (const auto &[stride, extent] : dims) {
        if (stride - run < sector) {
            run += (extent - 1) * stride;
        } else {
            runs *= extent;
        }
    }
    return sectors_of_runs(runs, run, bytes, sector);
}

bool reads_back_what_it_stores(const KernelFacts &facts) {
    const Stage &own = facts.dag.stage(facts.kernel.stage);
    const auto follows_stores = [&](const FlatLoad &load) {
        for (size_t i = 0; i < own.loops.size(); ++i) {
            if (own.loops[i].parallel || !own.store.moves(i)) continue;
            if (goes_as_stored(own, load.access, i)) return true;
        }
        return false;
    };
    return std::ranges::all_of(facts.stages.back().flat->loads, [&](const FlatLoad &load) {
        return load.source != FlatStage::kOwn || (load.in_place == 0 && follows_stores(load));
    });
}

bool is_read_from_dram(const GpuModel &gpu, const Func &func) {
    return func.is_input() || whole_bytes(func) > l2_resident_bytes(gpu);
}

void add_global_memory(const KernelFacts &facts, ExtractionScratch &scratch, FeatureTable &table) {
    double requested = 0;
    for (size_t i = 0; i < facts.stages.size(); ++i) {
        add_global_memory(facts, facts.stages[i], scratch.accesses(), table.stages[i]);
        requested += table.stages[i].num_global_mem_loads_per_block;
    }
    add_read(facts, requested, scratch, table.kernel);
    add_written(facts, table.stages.back().num_global_mem_stores_per_block, table.kernel);
    table.kernel.block_global_read_sectors =
        std::min(table.kernel.block_global_read_sectors, requested);
}

}  // namespace autoschedule_gpu
