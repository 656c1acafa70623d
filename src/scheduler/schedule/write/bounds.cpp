#include "scheduler/schedule/write/bounds.h"

#include <algorithm>
#include <optional>

#include "core/dag/storage_order.h"
#include "scheduler/nest/channel_vectors.h"
#include "scheduler/nest/regions.h"
#include "scheduler/schedule/write/loop_names.h"

namespace autoschedule_gpu::writing {

namespace {

void bound(DirectiveList &out, FuncId func, DirectiveOp what, const LoopRef &loop, int64_t extent) {
    Directive &promise = out.add(func, what);
    promise.loops = {loop};
    promise.factor = extent;
}

// Along the dimensions of which an extent is given and Halide has none.
void bound_all(DirectiveList &out, FuncId id, DirectiveOp what, const KnownExtents &extents) {
    const Dag &dag = out.dag();
    const Func &func = dag.func(id);
    const Stage &pure = dag.stage(func.stages[0]);
    for (size_t i = 0; i < pure.loops.size(); ++i) {
        const auto d = static_cast<size_t>(pure.loops[i].dim);
        if (!extents[d] || func.dims[d].promised) continue;
        bound(out, id, what, original(dag, func.stages[0], i), *extents[d]);
    }
}

void list_moved_by_channels(const Dag &dag, const Kernel &kernel, std::vector<FuncId> &moved) {
    for (const Band *threads : thread_bands(kernel)) {
        for (const Band *inner : innermost_bands(*threads)) {
            const std::optional<ChannelVector> vector = channel_vector(dag, kernel, inner->stage);
            if (!vector) continue;
            moved.insert(moved.end(), vector->reads.begin(), vector->reads.end());
            if (vector->is_stored) moved.push_back(dag.stage(inner->stage).func);
        }
    }
}

}  // namespace

std::vector<FuncId> moved_by_channels(const Dag &dag, const Nest &nest) {
    std::vector<FuncId> moved;
    for (const KernelPtr &kernel : nest.kernels) list_moved_by_channels(dag, *kernel, moved);
    return moved;
}

void bound_channels(DirectiveList &out, FuncId id) {
    const Func &func = out.dag().func(id);
    const int dim = innermost_dimension(func);
    const Dimension &channels = func.dims[static_cast<size_t>(dim)];
    if (channels.promised) return;
    bound(out, id, DirectiveOp::bound_extent, dimension(out.dag(), id, dim),
          channels.estimate.extent());
}

void bound_in_tiles(DirectiveList &out, const Home &home, FuncId id) {
    const Dag &dag = out.dag();
    const Func &func = dag.func(id);
    KnownExtents hidden(func.dims.size());
    if (home.threads->stage == func.stages[0]) {
        hidden = hidden_in_block(dag, *home.kernel, id, loop_around(dag, *home.kernel, id));
    } else if (home.threads->stage == home.kernel->stage) {
        hidden = hidden_in_thread(dag, *home.kernel, id);
    }
    bound_all(out, id, DirectiveOp::bound_extent, hidden);
}

bool bound_behind_guards(DirectiveList &out, const Home &home, FuncId func) {
    if (home.threads->stage != home.kernel->stage) return false;
    const KnownExtents cut = cut_in_thread(out.dag(), *home.kernel, func);
    bound_all(out, func, DirectiveOp::bound_storage, cut);
    return std::ranges::any_of(cut, [](const auto &extent) { return extent.has_value(); });
}

}  // namespace autoschedule_gpu::writing
