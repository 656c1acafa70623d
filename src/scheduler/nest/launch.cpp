#include "scheduler/nest/launch.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "scheduler/nest/channel_vectors.h"
#include "scheduler/nest/edit.h"
#include "scheduler/nest/full_tiles.h"
#include "scheduler/nest/shared_storage.h"
#include "scheduler/nest/sliding.h"

namespace autoschedule_gpu {

namespace {

// Whether all tiles along a loop are full: there is no rest, or they may go on beyond the end.
bool fills_tiles(const Dag &dag, const Kernel &kernel, size_t loop) {
    const int64_t points = kernel.tiling[loop].points();
    const int dim = dag.stage(kernel.stage).loops[loop].dim;
    if (points == 1 || rounds_up(dag, kernel, loop)) return true;
    if (dim < 0) return false;  // of a reduction nothing tells how often it runs
    const Dimension &of = dag.func_of(kernel.stage).dims[static_cast<size_t>(dim)];
    return of.constant && of.estimate.extent() % points == 0;
}

// Whether the last tile along a loop goes beyond the end, so that a guard or a clamp is there.
bool ends_in_guard_or_clamp(const Dag &dag, const Kernel &kernel, size_t loop) {
    return !fills_tiles(dag, kernel, loop) || rounds_up(dag, kernel, loop);
}

// Which stages of a kernel may be computed beyond the end of a dimension: what is computed in the
// kernel, too, is then computed as far as it is asked for.
class RunningOn {
public:
    RunningOn(const Dag &dag, const Kernel &kernel) : dag_(dag), kernel_(kernel) {}

    bool may(StageId id, int dim) {
        const auto [place, is_new] = known_.try_emplace({id, dim});
        if (!is_new) return place->second;
        const auto may_grow = [this](FuncId producer, size_t of) { return grows(producer, of); };
        return place->second = may_run_on(dag_, dag_.stage(id), static_cast<size_t>(dim), may_grow);
    }

private:
    bool grows(FuncId producer, size_t dim) {
        if (rounds_up(dag_, producer, dim)) return true;
        if (!is_inlined(kernel_, producer) && !is_computed_in(dag_, kernel_, producer))
            return false;
        return std::ranges::all_of(dag_.func(producer).stages, [&](StageId stage) {
            return may(stage, static_cast<int>(dim));
        });
    }

    const Dag &dag_;
    const Kernel &kernel_;
    std::map<std::pair<StageId, int>, bool> known_;
};

bool has_atomics(const Dag &dag, const Kernel &kernel) {
    return std::ranges::any_of(thread_bands(kernel), [&](const Band *threads) {
        return uses_atomics(dag, kernel, *threads);
    });
}

// Funcs that share launches, each by the first of them.
class Groups {
public:
    Groups(const Dag &dag, const Nest &nest) : dag_(dag), first_(dag.funcs.size()) {
        std::iota(first_.begin(), first_.end(), size_t{0});
        for (const KernelPtr &kernel : nest.kernels) {
            if (kernel->with.valid()) join(kernel->stage, kernel->with);
        }
    }

    // What of a group has no group left that it waits for is done; where none is, some wait for
    // themselves.
    std::optional<std::string> why_out_of_order() const {
        std::vector<size_t> waits(first_.size());
        std::vector<std::vector<size_t>> readers(first_.size());
        for (const Edge &edge : dag_.edges) {
            const FuncId reader = dag_.stage(edge.consumer).func;
            if (edge.producer == reader) continue;
            if (of(edge.producer) == of(reader)) return dag_.funcs[of(reader)].name + self();
            readers[of(edge.producer)].push_back(of(reader));
            ++waits[of(reader)];
        }
        std::vector<size_t> ready;
        for (size_t g = 0; g < first_.size(); ++g) {
            if (waits[g] == 0) ready.push_back(g);
        }
        for (size_t next = 0; next < ready.size(); ++next) {
            for (const size_t reader : readers[ready[next]]) {
                if (--waits[reader] == 0) ready.push_back(reader);
            }
        }
        const auto stuck = std::ranges::find_if(waits, [](size_t count) { return count > 0; });
        if (stuck == waits.end()) return std::nullopt;
        return dag_.funcs[static_cast<size_t>(stuck - waits.begin())].name + self();
    }

private:
    static std::string self() { return " would wait for what is computed in its own launch"; }

    // The least of a group stands for it.
    void join(StageId one, StageId other) {
        const size_t a = of(dag_.stage(one).func), b = of(dag_.stage(other).func);
        first_[std::max(a, b)] = std::min(a, b);
    }

    size_t of(FuncId func) const {
        size_t group = func.index();
        while (first_[group] != group) group = first_[group];
        return group;
    }

    const Dag &dag_;
    std::vector<size_t> first_;  // by FuncId: itself, or one that is less, of its group
};

}  // namespace

bool rounds_up(const Dag &dag, const Kernel &kernel, size_t loop) {
    const int dim = dag.stage(kernel.stage).loops[loop].dim;
    return needs_full_tiles(kernel) && dim >= 0 &&
           dag.func_of(kernel.stage).dims[static_cast<size_t>(dim)].rounds_up;
}

std::vector<size_t> shared_grid(const Dag &dag, const Kernel &kernel) {
    std::vector<size_t> loops = grid_loops(dag, kernel);
    if (loops.size() < 2) return loops;
    const auto last = std::find_if(loops.rbegin(), loops.rend() - 1, [&](size_t loop) {
        return ends_in_guard_or_clamp(dag, kernel, loop);
    });
    if (last != loops.rend() - 1) std::rotate(last.base() - 1, last.base(), loops.end());
    return loops;
}

std::vector<std::vector<size_t>> launches(const Nest &nest) {
    std::vector<std::vector<size_t>> result;
    for (size_t k = 0; k < nest.kernels.size(); ++k) {
        const Kernel &kernel = *nest.kernels[k];
        if (kernel.with.valid() && kernel.with != kernel.stage) continue;
        std::vector<size_t> &launch = result.emplace_back(1, k);
        if (!kernel.with.valid()) continue;
        for (size_t other = 0; other < nest.kernels.size(); ++other) {
            const bool is_in = nest.kernels[other]->with == kernel.stage;
            if (is_in && other != k) launch.push_back(other);
        }
    }
    return result;
}

bool shares_launches(const Nest &nest) {
    return std::ranges::any_of(nest.kernels,
                               [](const KernelPtr &kernel) { return kernel->with.valid(); });
}

KernelPtr in_launch_of(const KernelPtr &kernel, StageId with) {
    if (kernel->with == with) return kernel;
    return computed_with(kernel, with);
}

Nest with_launches_apart(Nest nest) {
    for (KernelPtr &kernel : nest.kernels) kernel = in_launch_of(kernel, StageId());
    return nest;
}

std::optional<std::string> why_alone_in_launch(const Dag &dag, const Kernel &kernel) {
    const Stage &stage = dag.stage(kernel.stage);
    const Func &func = dag.func(stage.func);
    if (kernel.on_host) return "it is on the host";
    if (func.ours != Func::Ours::all) return "it is scheduled by its user";
    if (stage.predicate_reads) return "its condition reads data, and its tiles would end in guards";
    if (kernel.aligned || has_channel_vectors(dag, kernel)) {
        return "what is computed in it needs aligned tiles or vectors";
    }
    if (has_whole_rows(kernel.tiling) || has_spread_points(kernel.tiling)) {
        return "its threads stride along rows";
    }
    if (walked_loop(kernel.tiling)) return "its blocks walk along a loop";
    if (!kernel.along_stores) return "its threads are in another order";
    if (has_atomics(dag, kernel)) return "it adds by atomic operations";
    const std::vector<size_t> grid = shared_grid(dag, kernel);
    if (grid.empty()) return "it has no loop over blocks";
    const bool over_points =
        std::ranges::all_of(grid, [&](size_t loop) { return stage.loops[loop].dim >= 0; });
    if (!over_points) return "its blocks share a reduction";
    // Where neither a guard nor a clamp says how far anything is needed, Halide asks for all that
    // the outermost loop runs over, of inputs, too.
    const bool ends = grid.size() == 1 || ends_in_guard_or_clamp(dag, kernel, grid.back());
    if (!ends && !RunningOn(dag, kernel).may(kernel.stage, stage.loops[grid.back()].dim)) {
        return "neither guards nor clamps end its outermost loop over blocks";
    }
    if (!needs_full_tiles(kernel)) return std::nullopt;
    if (func.is_output()) return "what is computed in it needs full tiles, and it is an output";
    const bool all_full =
        std::ranges::all_of(grid, [&](size_t loop) { return fills_tiles(dag, kernel, loop); });
    if (!all_full || func.stages.size() > 1) return "what is computed in it needs full tiles";
    return std::nullopt;
}

std::optional<std::string> why_not_with(const Dag &dag, const Kernel &first, const Kernel &other) {
    for (const Kernel *kernel : {&first, &other}) {
        const std::string who = dag.func_of(kernel->stage).name;
        if (const auto why = why_alone_in_launch(dag, *kernel)) return who + ": " + *why;
    }
    const Stage &a = dag.stage(first.stage), &b = dag.stage(other.stage);
    if (dag.func(a.func).is_output() != dag.func(b.func).is_output()) {
        return "one is an output and the other is not";
    }
    if (a.index != b.index || a.func == b.func) return "only stages of one number can share it";
    const std::vector<size_t> grid_a = shared_grid(dag, first), grid_b = shared_grid(dag, other);
    // Halide finds loops that are one by their names, which tell of the splits that made them:
    // where several loops are fused, of those of the innermost.
    if ((grid_a.size() > 1) != (grid_b.size() > 1)) return "only one has several loops over blocks";
    const size_t i = grid_a.front(), j = grid_b.front();
    if (a.loops[i].name != b.loops[j].name) return "innermost loops over blocks have other names";
    if ((first.tiling[i].threads > 1) != (other.tiling[j].threads > 1)) {
        return "only one has threads along its innermost loop over blocks";
    }
    if (has_shared_memory(first) && has_shared_memory(other) &&
        widest_shared_element(dag, first) != widest_shared_element(dag, other)) {
        return "elements in shared memory differ in size, of which a launch has one allocation";
    }
    return std::nullopt;
}

std::optional<std::string> why_out_of_order(const Dag &dag, const Nest &nest) {
    return shares_launches(nest) ? Groups(dag, nest).why_out_of_order() : std::nullopt;
}

}  // namespace autoschedule_gpu
