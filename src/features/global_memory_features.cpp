// Features of the group "global_memory": what warps ask of it, and what comes from DRAM.
#include <algorithm>
#include <bit>
#include <cmath>

#include "features/efficiency.h"
#include "features/thread_view.h"

namespace autoschedule_gpu {

namespace {

// 32-byte sectors of a box in global memory, wherever it starts: dimensions whose steps leave no
// whole sector out make one run of bytes (a row, or a row of interleaved pixels), the others repeat
// it.
double distinct_sectors(const Func &func, std::span<const Interval> box, double sector) {
    std::vector<std::pair<double, double>> dims;  // bytes per step, steps
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
    // The mean over the places where a run of whole elements may start.
    return runs * (run + sector - std::min(bytes, sector)) / sector;
}

}  // namespace

void FeatureExtractor::add_global_access(const LaneAccess &lanes, double accesses, bool store,
                                         StageFeatures &row) const {
    const GlobalAccess global = lanes.gather.any() ? gathered_global(gpu_, lanes.warp, lanes.gather)
                                                   : global_access(gpu_, lanes.warp);
    mix(row.num_active_warps_per_block * accesses * global.sectors, global.efficiency,
        store ? row.num_global_mem_stores_per_block : row.num_global_mem_loads_per_block,
        store ? row.global_mem_store_efficiency : row.global_mem_load_efficiency);
    (store ? row.global_stores_per_thread : row.global_loads_per_thread) += accesses;
}

// Elements that one instruction may store, up to 16 bytes: the iterations of an unrolled loop that
// go on in memory where the one before ends. A power of two.
double FeatureExtractor::vector_width(const Band &inner) const {
    const Stage &stage = dag_.stage(inner.stage);
    const Func &func = dag_.func(stage.func);
    const UnrolledLoops unrolled(dag_, inner);
    int64_t width = 1;
    for (size_t d = 0; d < stage.store.dims(); ++d) {
        if (std::abs(stride(stage.func, d)) != 1) continue;
        for (size_t i = 0; i < inner.trips.size(); ++i) {
            const Coefficient &c = stage.store.at(d, i);
            if (!unrolled[i] || !c.known || std::abs(c.value) != 1) continue;
            const uint64_t trips = static_cast<uint64_t>(inner.trips[i]);
            width = std::max(width, int64_t{1} << std::countr_zero(trips));
        }
    }
    constexpr int64_t kMostBytes = 16;
    const int64_t bytes = std::max<int64_t>(1, func.values.empty() ? 1 : func.values[0].bytes());
    return static_cast<double>(std::min(width, std::max<int64_t>(1, kMostBytes / bytes)));
}

void FeatureExtractor::global_footprint(const Kernel &kernel, FeatureTable &table) {
    KernelFeatures &row = table.kernel;
    // Data that is produced and read again while it is still cached never goes to DRAM and back.
    const double resident_bytes = 0.4 * static_cast<double>(gpu_.l2_bytes);
    const double sector = static_cast<double>(gpu_.l1_sector_bytes);
    double requested = 0;
    for (const StageFeatures &stage : table.stages)
        requested += stage.num_global_mem_loads_per_block;

    double block_sectors = 0;
    for (FuncId id : block_.funcs()) {
        if (homes_[id.index()] != Home::global || is_inlined(kernel, id)) continue;
        const Func &func = dag_.func(id);
        const double bytes = static_cast<double>(func.bytes_per_point());
        block_sectors += distinct_sectors(func, block_.box(id), sector);
        const double grid_bytes = bytes * grid_.points(id);
        row.global_bytes_read += grid_bytes;
        if (func.is_input() || whole_bytes(func) > resident_bytes)
            row.dram_bytes_read += grid_bytes;
    }
    row.block_global_read_sectors = std::min(block_sectors, requested);
    const double all_requested = requested * row.num_blocks * sector;
    row.global_bytes_read = std::min(row.global_bytes_read, all_requested);
    row.dram_bytes_read = std::min(row.dram_bytes_read, all_requested);

    const Func &own = dag_.func_of(kernel.stage);
    const double written = table.stages.back().num_scalars > 0 ? whole_bytes(own) : 0;
    const double stored =
        table.stages.back().num_global_mem_stores_per_block * row.num_blocks * sector;
    if (own.is_output() || written > resident_bytes) {
        row.dram_bytes_written = std::min(written, stored);
    }
    // An update reads what it adds to.
    const Stage &stage = dag_.stage(kernel.stage);
    const bool reads_itself = std::any_of(stage.loads.begin(), stage.loads.end(),
                                          [&](const Load &l) { return l.producer == stage.func; });
    if (reads_itself) {
        row.global_bytes_read += std::min(written, stored);
        row.dram_bytes_read += row.dram_bytes_written;
    }
}

}  // namespace autoschedule_gpu
