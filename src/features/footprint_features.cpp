// Features of the group "footprint": what a stage reads and writes in all, without what it reads
// twice, for one pass of a thread, a thread, a block and a realization of its Func.
#include <algorithm>
#include <cmath>

#include "features/thread_view.h"

namespace autoschedule_gpu {

namespace {

// The dimension along which a Func's elements are neighbours in memory.
size_t innermost_dimension(const Func &func) {
    size_t innermost = 0;
    for (size_t d = 1; d < func.dims.size(); ++d) {
        const auto stride = [&](size_t dim) { return std::abs(func.dims[dim].stride); };
        if (stride(d) != 0 && stride(d) < stride(innermost)) innermost = d;
    }
    return innermost;
}

// Points of the stage's Func that loops over these ranges store, along one dimension.
double stored_extent(const Stage &stage, const Func &func, std::span<const Interval> ranges,
                     size_t dim) {
    const double whole = static_cast<double>(func.dims[dim].estimate.extent());
    if (dim >= stage.store.dims()) return 1;
    double extent = 1;
    for (size_t i = 0; i < ranges.size(); ++i) {
        const Coefficient &c = stage.store.at(dim, i);
        if (!c.known) return whole;
        extent += std::abs(c.value) * static_cast<double>(ranges[i].extent() - 1);
    }
    return std::min(extent, whole);
}

}  // namespace

// Of all that `reads` holds of what the stage reads, by the kind of memory that it is in.
FeatureExtractor::Footprint FeatureExtractor::footprint(const FlatStage &flat,
                                                        const RegionSet &reads) const {
    Footprint result;
    for (FuncId id : flat.producers) {
        if (!reads.touched(id)) continue;
        const Func &func = dag_.func(id);
        const double points = reads.points(id);
        const double row =
            func.dims.empty()
                ? 1
                : static_cast<double>(reads.box(id)[innermost_dimension(func)].extent());
        Extent &extent = result.in(memory_of(id));
        extent.bytes += points * static_cast<double>(func.bytes_per_point());
        extent.lines += points / std::max(1.0, row);
    }
    return result;
}

// Of the stage's loops over these ranges.
FeatureExtractor::Footprint FeatureExtractor::footprint_over(const FlatStage &flat,
                                                             std::span<const Interval> ranges) {
    reads_.clear();
    propagate(dag_, flat.stage, ranges, flat.inlined, reads_);
    return footprint(flat, reads_);
}

// Where a stage is alone in its kernel or in its threads, the regions that were walked for these
// are what it reads.
void FeatureExtractor::add_footprints(const ThreadView &view, const Band &inner,
                                      const FlatStage &flat, StageFeatures &row) {
    const Footprint pass = footprint(flat, tile_);  // as count_tile left it
    row.unique_bytes_read_per_point = pass.all_bytes() / std::max(1.0, row.unrolled_points);
    row.unique_lines_read_per_point = pass.all_lines() / std::max(1.0, row.unrolled_points);
    const bool one_pass = row.serial_iterations == 1;
    if (inner.stage != view.threads->stage) {
        footprints_in_thread(view, inner, flat, one_pass ? &pass : nullptr, row);
    } else {
        footprints_of_threads(view, inner, flat, one_pass ? &pass : nullptr, row);
    }
    add_allocations(flat, row);
}

// Of a Func computed in each thread, which is one realization. `pass`: a thread's, if it makes but
// one.
void FeatureExtractor::footprints_in_thread(const ThreadView &view, const Band &inner,
                                            const FlatStage &flat, const Footprint *pass,
                                            StageFeatures &row) {
    const FuncId own = dag_.stage(inner.stage).func;
    std::vector<Interval> &ranges = footprint_ranges_;
    stage_ranges(dag_, inner.stage, thread_.box(own), ranges);
    add_written(view, inner, ranges, row);
    const Footprint thread = pass != nullptr ? *pass : footprint_over(flat, ranges);
    stage_ranges(dag_, inner.stage, block_.box(own), ranges);
    set_read(thread, thread, footprint_over(flat, ranges), row);
}

// Of the stage to which the threads belong.
void FeatureExtractor::footprints_of_threads(const ThreadView &view, const Band &inner,
                                             const FlatStage &flat, const Footprint *pass,
                                             StageFeatures &row) {
    const bool at_root = inner.stage == view.kernel->stage;
    const bool alone_in_threads = view.threads->body.size() == 1;
    const bool alone = alone_in_threads && view.kernel->blocks->body.size() == 1;
    const Footprint thread = pass != nullptr    ? *pass
                             : alone_in_threads ? footprint(flat, thread_)
                                                : footprint_over(flat, view.first);
    std::vector<Interval> &ranges = footprint_ranges_;
    if (at_root) {
        ranges = block_ranges_;
    } else {
        stage_ranges(dag_, inner.stage, block_.box(dag_.stage(inner.stage).func), ranges);
    }
    add_written(view, inner, ranges, row);
    const Footprint task = alone ? footprint(flat, block_) : footprint_over(flat, ranges);
    const Footprint realization = !at_root ? task
                                  : alone  ? footprint(flat, grid_)
                                           : footprint_over(flat, grid_ranges_);
    set_read(realization, thread, task, row);
}

void FeatureExtractor::set_read(const Footprint &realization, const Footprint &thread,
                                const Footprint &task, StageFeatures &row) {
    row.unique_global_bytes_read_per_realization = realization.global.bytes;
    row.unique_shared_bytes_read_per_realization = realization.shared.bytes;
    row.unique_register_bytes_read_per_realization = realization.thread.bytes;
    row.unique_global_lines_read_per_realization = realization.global.lines;
    row.unique_shared_lines_read_per_realization = realization.shared.lines;
    row.unique_register_lines_read_per_realization = realization.thread.lines;
    row.unique_global_bytes_read_per_thread = thread.global.bytes;
    row.unique_shared_bytes_read_per_thread = thread.shared.bytes;
    row.unique_register_bytes_read_per_thread = thread.thread.bytes;
    row.unique_global_lines_read_per_thread = thread.global.lines;
    row.unique_shared_lines_read_per_thread = thread.shared.lines;
    row.unique_register_lines_read_per_thread = thread.thread.lines;
    row.unique_bytes_read_per_task = task.all_bytes();
    row.unique_lines_read_per_task = task.all_lines();
}

// Whole arrays of which the stage reads something.
void FeatureExtractor::add_allocations(const FlatStage &flat, StageFeatures &row) const {
    for (FuncId id : flat.producers) {
        const Func &func = dag_.func(id);
        switch (memory_of(id)) {
            case Memory::global:
                row.global_allocation_bytes_read_per_realization += whole_bytes(func);
                break;
            case Memory::shared:
                row.shared_allocation_bytes_read_per_realization += shared_bytes(id);
                break;
            case Memory::thread:
                row.register_allocation_bytes_read_per_realization +=
                    thread_.points(id) * static_cast<double>(func.bytes_per_point());
        }
    }
}

// What loops over `ranges` write: those of a thread for a Func computed in threads, else those of
// a block.
void FeatureExtractor::add_written(const ThreadView &view, const Band &inner,
                                   std::span<const Interval> ranges, StageFeatures &row) const {
    const Stage &stage = dag_.stage(inner.stage);
    const Func &func = dag_.func(stage.func);
    double bytes = static_cast<double>(func.bytes_per_point());
    double line = bytes;
    const size_t innermost = innermost_dimension(func);
    for (size_t d = 0; d < func.dims.size(); ++d) {
        const double extent = stored_extent(stage, func, ranges, d);
        bytes *= extent;
        if (d == innermost) line *= extent;
    }
    switch (memory_of(stage.func)) {
        case Memory::global:
            row.global_bytes_at_task = bytes;
            row.global_innermost_bytes_at_task = line;
            break;
        case Memory::shared:
            row.shared_bytes_at_task = bytes;
            row.shared_innermost_bytes_at_task = line;
            break;
        case Memory::thread:
            row.register_bytes_at_task = bytes * view.active_threads();
            row.register_innermost_bytes_at_task = line;
    }
}

}  // namespace autoschedule_gpu
