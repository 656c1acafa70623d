#include "features/feature_extractor.h"

#include <algorithm>
#include <cmath>

#include "features/thread_view.h"
#include "support/hash.h"

namespace autoschedule_gpu {

FeatureExtractor::FeatureExtractor(const Dag &dag, const GpuModel &gpu)
    : dag_(dag),
      gpu_(gpu),
      homes_(dag.funcs.size(), Home::global),
      grid_(dag),
      block_(dag),
      thread_(dag),
      tile_(dag),
      moved_(dag),
      iteration_(dag),
      reads_(dag),
      evaluations_(dag.funcs.size(), 0.0),
      shared_sites_(dag.funcs.size(), 0.0) {}

const FlatStage &FeatureExtractor::flat(StageId stage, const std::vector<FuncId> &inlined) {
    const uint64_t key = Hasher().add(inlined_hash_).add(stage.index()).value();
    auto [entry, fresh] = flats_.try_emplace(key);
    if (fresh) entry->second = flatten(dag_, stage, inlined);
    return entry->second;
}

FeatureTable FeatureExtractor::extract(const Kernel &kernel) {
    FeatureTable table;
    if (kernel.on_host) {
        table.kernel.on_host = 1;
        StageFeatures row;
        row.stage = kernel.stage;
        row.num_scalars = 1;
        const Stage &stage = dag_.stage(kernel.stage);
        for (const Dimension &dim : dag_.func(stage.func).dims) {
            row.num_scalars *= static_cast<double>(dim.estimate.extent());
        }
        table.stages.push_back(row);
        return table;
    }
    Hasher inlined;
    for (FuncId func : kernel.inlined) inlined.add(func.index());
    inlined_hash_ = inlined.value();
    place_members(kernel);
    find_local_arrays(kernel);
    walk_grid_and_block(kernel);
    size_t stages = 0;
    for (const Band *threads : thread_bands(kernel)) stages += threads->body.size();
    table.stages.reserve(stages);
    for (const Band *threads : thread_bands(kernel)) stages_of_threads(kernel, *threads, table);
    kernel_row(kernel, table);
    for (FuncId func : fused_) homes_[func.index()] = Home::global;
    return table;
}

FeatureExtractor::Memory FeatureExtractor::memory_of(FuncId func) const {
    switch (homes_[func.index()]) {
        case Home::global:
            return Memory::global;
        case Home::shared:
            return Memory::shared;
        default:
            return Memory::thread;
    }
}

double FeatureExtractor::whole_bytes(const Func &func) {
    double bytes = static_cast<double>(func.bytes_per_point());
    for (const Dimension &dim : func.dims) bytes *= static_cast<double>(dim.estimate.extent());
    return bytes;
}

void FeatureExtractor::place_members(const Kernel &kernel) {
    fused_.clear();
    const auto place = [&](StageId stage, Home home) {
        const FuncId func = dag_.stage(stage).func;
        if (homes_[func.index()] != Home::global) return;  // an earlier stage of it came by
        homes_[func.index()] = home;
        fused_.push_back(func);
    };
    for (const Band *threads : thread_bands(kernel)) {
        if (threads->stage != kernel.stage) place(threads->stage, Home::shared);
        for (const BandPtr &inner : threads->body) {
            if (inner->stage != threads->stage) place(inner->stage, Home::registers);
        }
    }
}

void FeatureExtractor::find_local_arrays(const Kernel &kernel) {
    const auto is_array = [&](FuncId func) { return homes_[func.index()] == Home::registers; };
    if (std::ranges::none_of(fused_, is_array)) return;
    const auto indexed = [&](FuncId func, const Band &inner, const AccessMatrix &access) {
        Home &home = homes_[func.index()];
        if (home == Home::registers && !in_registers(inner, access)) home = Home::local;
    };
    for (const Band *threads : thread_bands(kernel)) {
        for (const BandPtr &inner : threads->body) {
            const Stage &stage = dag_.stage(inner->stage);
            indexed(stage.func, *inner, stage.store);
            for (const FlatLoad &load : flat(inner->stage, kernel.inlined).loads) {
                indexed(load.producer, *inner, load.access);
            }
        }
    }
}

// Regions over the whole launch, and for a block in the middle of it.
void FeatureExtractor::walk_grid_and_block(const Kernel &kernel) {
    const Stage &stage = dag_.stage(kernel.stage);
    const Func &func = dag_.func(stage.func);
    const std::vector<FuncId> members = members_below(dag_, kernel, *kernel.blocks);

    grid_.clear();
    ranges_.clear();
    for (const Loop &loop : stage.loops) {
        ranges_.push_back(loop.dim >= 0 ? func.dims[loop.dim].estimate : loop.range);
    }
    grid_ranges_ = ranges_;
    propagate(dag_, kernel.stage, ranges_, members, grid_);

    block_.clear();
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        if (!is_split(stage.loops[i], kernel.tiling[i])) continue;
        const int64_t points = kernel.tiling[i].points();
        const int64_t first = ranges_[i].min + (kernel.blocks->trips[i] / 2) * points;
        ranges_[i] = Interval::from_extent(first, points);
    }
    block_ranges_ = ranges_;
    propagate(dag_, kernel.stage, ranges_, members, block_);
    for (StageId loop : loops_of(kernel)) walk_iteration(kernel, loop);
}

// What is computed in a loop is as large as one iteration needs; what the loop reads from
// outside is needed for all of them.
void FeatureExtractor::walk_iteration(const Kernel &kernel, StageId loop) {
    iteration_ranges(dag_, loop, block_.box(dag_.stage(loop).func), ranges_);
    iteration_.clear();
    propagate(dag_, loop, ranges_, members_in_loop(dag_, kernel, loop), iteration_);
    for (const Band *threads : thread_bands(kernel)) {
        if (threads->loop != loop || has_own_loop(*threads)) continue;
        const FuncId func = dag_.stage(threads->stage).func;
        if (!iteration_.touched(func)) continue;
        std::ranges::copy(iteration_.box(func), block_.box(func).begin());
    }
}

void FeatureExtractor::stages_of_threads(const Kernel &kernel, const Band &threads,
                                         FeatureTable &table) {
    const Stage &stage = dag_.stage(threads.stage);
    const Band &own = *threads.body.back();
    ThreadView view;
    view.kernel = &kernel;
    view.atomic = uses_atomics(dag_, kernel, threads);
    view.threads = &threads;
    view.block = block_size(kernel);
    view.active = thread_extents(threads);
    view.blocks = static_cast<double>(iterations(*kernel.blocks));
    view.loop_iterations = static_cast<double>(loop_iterations(dag_, threads.loop));

    // The first thread's share of the middle block.
    std::vector<Interval> &first = view.first;
    first.reserve(stage.loops.size());
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const Loop &loop = stage.loops[i];
        if (is_outside_threads(dag_, threads, i)) {
            first.push_back(typical_iteration(loop));
        } else if (!loop.parallel && !is_shared_reduction(dag_, kernel, threads, i)) {
            first.push_back(loop.range);
        } else if (threads.stage == kernel.stage) {
            const int64_t start = (loop.dim >= 0 ? dag_.func(stage.func).dims[loop.dim].estimate.min
                                                 : loop.range.min) +
                                  (kernel.blocks->trips[i] / 2) * kernel.tiling[i].points();
            first.push_back(Interval::from_extent(start, own.trips[i]));
        } else {
            const int64_t start =
                loop.dim >= 0 ? block_.box(stage.func)[loop.dim].min : loop.range.min;
            first.push_back(Interval::from_extent(start, own.trips[i]));
        }
    }
    const std::vector<FuncId> members = members_below(dag_, kernel, threads);
    thread_.clear();
    propagate(dag_, threads.stage, first, members, thread_);

    // How far each Func's region moves from one thread to its neighbour, per axis: over several
    // threads, because an upsampled access moves by less than one point.
    constexpr int64_t kThreads = 8;
    for (size_t a = 0; a < threads.axes.size() && threads.body.size() > 1; ++a) {
        std::vector<Interval> later = first;
        const int axis = threads.axes[a];
        later[axis].min += kThreads * own.trips[axis];
        later[axis].max += kThreads * own.trips[axis];
        moved_.clear();
        propagate(dag_, threads.stage, later, members, moved_);
        for (const BandPtr &inner : threads.body) {
            const FuncId func = dag_.stage(inner->stage).func;
            if (inner->stage == threads.stage || !moved_.touched(func)) continue;
            std::vector<double> &steps = view.steps[func][a];
            for (size_t d = 0; d < moved_.box(func).size(); ++d) {
                const double distance = static_cast<double>(moved_.box(func)[d].min) -
                                        static_cast<double>(thread_.box(func)[d].min);
                steps.push_back(distance / kThreads);
            }
        }
    }
    for (const BandPtr &inner : threads.body) {
        fill_stage_row(view, *inner, table.stages.emplace_back());
    }
}

void FeatureExtractor::kernel_row(const Kernel &kernel, FeatureTable &table) {
    add_parallelism(kernel, table);
    add_shared_arrays(table.kernel);
    add_local_arrays(kernel, table.kernel);
    global_footprint(kernel, table);
    add_registers(kernel, table);
    add_occupancy(table.kernel);
}

}  // namespace autoschedule_gpu
