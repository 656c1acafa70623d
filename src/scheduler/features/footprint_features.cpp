// Footprints are for one pass of a thread, a thread, a block (a task) and a realization of the
// Func.
#include <algorithm>
#include <cmath>
#include <vector>

#include "scheduler/features/feature_groups.h"
#include "scheduler/features/stored_extent.h"

namespace autoschedule_gpu {

namespace {

// Returns the dimension along which a Func's elements are neighbours in memory.
size_t least_stride_dimension(const Func &func) {
    size_t innermost = 0;
    for (size_t d = 1; d < func.dims.size(); ++d) {
        const auto stride = [&](size_t dim) { return std::abs(func.dims[dim].stride); };
        if (stride(d) != 0 && stride(d) < stride(innermost)) innermost = d;
    }
    return innermost;
}

struct Extent {
    double bytes = 0, lines = 0;
};

struct Footprint {
    Extent global, shared, thread;
    double all_bytes() const { return global.bytes + shared.bytes + thread.bytes; }
    double all_lines() const { return global.lines + shared.lines + thread.lines; }
    Extent &in(MemoryKind memory) {
        if (is_per_thread(memory)) return thread;
        return memory == MemoryKind::shared ? shared : global;
    }
};

// Room for walks over regions.
struct Walks {
    explicit Walks(ExtractionScratch &scratch) : reads(scratch.regions()) {}
    RegionSet &reads;
    std::vector<Interval> ranges;
};

// Returns what the stage reads of all that `reads` holds, by the kind of memory that it is in.
Footprint footprint(const KernelFacts &facts, const FlatStage &flat, const RegionSet &reads) {
    Footprint result;
    for (FuncId id : flat.producers) {
        if (!reads.touched(id)) continue;
        const Func &func = facts.dag.func(id);
        const double points = reads.points(id);
        const double row =
            func.dims.empty()
                ? 1
                : static_cast<double>(reads.box(id)[least_stride_dimension(func)].extent());
        Extent &extent = result.in(facts.memory_of(id));
        extent.bytes += points * static_cast<double>(func.bytes_per_point());
        extent.lines += points / std::max(1.0, row);
    }
    return result;
}

// Returns what the stage reads when its loops run over these ranges.
Footprint footprint_over(const KernelFacts &facts, const FlatStage &flat,
                         std::span<const Interval> ranges, RegionSet &reads) {
    reads.clear();
    propagate(facts.dag, flat.stage, ranges, flat.inlined, reads);
    return footprint(facts, flat, reads);
}

void set_read(const Footprint &realization, const Footprint &thread, const Footprint &task,
              StageFeatures &row) {
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

// Adds the whole arrays of which the stage reads something.
void add_allocations(const KernelFacts &facts, const StageFacts &stage, StageFeatures &row) {
    for (FuncId id : stage.flat->producers) {
        const Func &func = facts.dag.func(id);
        const MemoryKind memory = facts.memory_of(id);
        if (is_per_thread(memory)) {
            row.register_allocation_bytes_read_per_realization +=
                stage.threads->regions->points(id) * static_cast<double>(func.bytes_per_point());
        } else if (memory == MemoryKind::shared) {
            row.shared_allocation_bytes_read_per_realization += facts.shared_bytes(id);
        } else {
            row.global_allocation_bytes_read_per_realization += whole_bytes(func);
        }
    }
}

// Sets what loops over `ranges` write: those of a thread for a Func computed in threads, else those
// of a block.
void set_written(const KernelFacts &facts, const StageFacts &stage,
                 std::span<const Interval> ranges, StageFeatures &row) {
    const Func &func = facts.dag.func(stage.func);
    double bytes = static_cast<double>(func.bytes_per_point());
    double line = bytes;
    const size_t innermost = least_stride_dimension(func);
    for (size_t d = 0; d < func.dims.size(); ++d) {
        const double extent = stored_extent(facts.dag.stage(stage.stage), func, ranges, d);
        bytes *= extent;
        if (d == innermost) line *= extent;
    }
    const MemoryKind memory = facts.memory_of(stage.func);
    if (is_per_thread(memory)) {
        row.register_bytes_at_task = bytes * stage.threads->threads;
        row.register_innermost_bytes_at_task = line;
    } else if (memory == MemoryKind::shared) {
        row.shared_bytes_at_task = bytes;
        row.shared_innermost_bytes_at_task = line;
    } else {
        row.global_bytes_at_task = bytes;
        row.global_innermost_bytes_at_task = line;
    }
}

// Adds what a Func that is computed in each thread reads; a thread's is one realization. `pass` is
// what one pass reads.
void add_in_thread(const KernelFacts &facts, const StageFacts &stage, const Footprint &pass,
                   Walks &walks, StageFeatures &row) {
    const FlatStage &flat = *stage.flat;
    const RegionSet &in_thread = *stage.threads->regions;
    stage_ranges(facts.dag, stage.stage, in_thread.box(stage.func), walks.ranges);
    set_written(facts, stage, walks.ranges, row);
    const Footprint thread =
        stage.passes == 1 ? pass : footprint_over(facts, flat, walks.ranges, walks.reads);
    stage_ranges(facts.dag, stage.stage, facts.block->box(stage.func), walks.ranges);
    set_read(thread, thread, footprint_over(facts, flat, walks.ranges, walks.reads), row);
}

// Adds what the stage to which the threads belong reads. Where it is alone in its kernel or in its
// threads, the regions of these are what it reads.
void add_of_threads(const KernelFacts &facts, const StageFacts &stage, const Footprint &pass,
                    Walks &walks, StageFeatures &row) {
    const FlatStage &flat = *stage.flat;
    const ThreadFacts &threads = *stage.threads;
    const bool at_root = facts.is_root(stage);
    const bool alone_in_threads = threads.band->body.size() == 1;
    const bool alone = alone_in_threads && facts.threads.size() == 1;
    const auto over = [&](std::span<const Interval> ranges) {
        return footprint_over(facts, flat, ranges, walks.reads);
    };
    const Footprint thread = stage.passes == 1  ? pass
                             : alone_in_threads ? footprint(facts, flat, *threads.regions)
                                                : over(threads.ranges);
    std::span<const Interval> in_block = facts.block_ranges;
    if (!at_root) {
        stage_ranges(facts.dag, stage.stage, facts.block->box(stage.func), walks.ranges);
        in_block = walks.ranges;
    }
    set_written(facts, stage, in_block, row);
    const Footprint task = alone ? footprint(facts, flat, *facts.block) : over(in_block);
    const Footprint realization = !at_root ? task
                                  : alone  ? footprint(facts, flat, *facts.grid)
                                           : over(facts.grid_ranges);
    set_read(realization, thread, task, row);
}

}  // namespace

void add_footprints(const KernelFacts &facts, ExtractionScratch &scratch, FeatureTable &table) {
    Walks walks(scratch);
    for (size_t i = 0; i < facts.stages.size(); ++i) {
        const StageFacts &stage = facts.stages[i];
        StageFeatures &row = table.stages[i];
        const Footprint pass = footprint(facts, *stage.flat, *stage.pass_regions);
        const double points = std::max(1.0, stage.points_per_pass);
        row.unique_bytes_read_per_point = pass.all_bytes() / points;
        row.unique_lines_read_per_point = pass.all_lines() / points;
        if (stage.owns_threads()) {
            add_of_threads(facts, stage, pass, walks, row);
        } else {
            add_in_thread(facts, stage, pass, walks, row);
        }
        add_allocations(facts, stage, row);
    }
}

}  // namespace autoschedule_gpu
