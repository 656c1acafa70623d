#include "scheduler/search/epilogues.h"

#include <optional>

#include "scheduler/search/chains.h"
#include "scheduler/space/tilings.h"

namespace autoschedule_gpu {

namespace {

// The dimension of what an access reads that a loop moves along, element by element, and no other
// dimension with it.
std::optional<size_t> dimension_along(const AccessMatrix &access, size_t loop) {
    std::optional<size_t> found;
    for (size_t d = 0; d < access.dims(); ++d) {
        const Coefficient &c = access.at(d, loop);
        if (c.known && c.value == 0) continue;
        if (!c.known || c.value != 1 || found) return std::nullopt;
        found = d;
    }
    return found;
}

// The tile of a dimension of the Func that a kernel computes at its root.
std::optional<LoopTile> tile_of(const Stage &stage, const Tiling &tiling, size_t dim) {
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        if (stage.loops[i].dim == static_cast<int>(dim)) return tiling[i];
    }
    return std::nullopt;
}

// The reader's tiling, with the tiles of the dimensions that its loops move along. Nothing if none
// of them is shared out among blocks or threads.
std::optional<Tiling> tiling_of(const Dag &dag, const Kernel &kernel, const Kernel &reader,
                                const AccessMatrix &access) {
    const Stage &stage = dag.stage(reader.stage);
    Tiling tiling = reader.tiling;
    bool takes_any = false;
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        if (stage.loops[i].dim < 0) continue;
        const auto dim = dimension_along(access, i);
        const auto tile =
            dim ? tile_of(dag.stage(kernel.stage), kernel.tiling, *dim) : std::nullopt;
        const int64_t extent = dag.func_of(reader.stage).dims[stage.loops[i].dim].estimate.extent();
        if (!tile || !has_tile(extent, *tile)) continue;
        if (stage.predicate_reads && tile->points() > 1) continue;
        tiling[i] = *tile;
        takes_any |= tile->threads > 1;
    }
    const bool is_tiling = has_axes(tiling) && !has_points_beside_rows(stage, tiling);
    return takes_any && is_tiling ? std::optional(tiling) : std::nullopt;
}

// How a kernel reads a Func, if its root does so itself or through one inlined copy of it.
const AccessMatrix *access_of(const Dag &dag, const Stage &stage, FuncId func) {
    for (const Load &load : stage.loads) {
        if (load.producer == func || dag.func(load.producer).wraps == func) return &load.access;
    }
    return nullptr;
}

std::optional<Joined> epilogue_of(const Dag &dag, const State &state, size_t k, double least_cost) {
    const Kernel &kernel = *state.nest.kernels[k];
    const FuncId id = dag.stage(kernel.stage).func;
    if (!may_leave_root(dag, state, id) || dag.func(id).stages.size() != 1) return std::nullopt;
    const std::vector<size_t> readers = consumer_kernels(dag, state, id);
    if (readers.size() != 1 || state.kernel_costs[readers[0]] < least_cost) return std::nullopt;
    const Kernel &reader = *state.nest.kernels[readers[0]];
    if (reader.on_host || reader.stage == kernel.stage) return std::nullopt;
    const AccessMatrix *access = access_of(dag, dag.stage(reader.stage), id);
    if (access == nullptr) return std::nullopt;
    const auto tiling = tiling_of(dag, kernel, reader, *access);
    if (!tiling) return std::nullopt;
    return Joined{id, kernel.stage, reader.stage, *tiling};
}

}  // namespace

std::vector<Joined> epilogues(const Dag &dag, const State &state, double least_share) {
    std::vector<Joined> found;
    for (size_t k = 0; k < state.nest.kernels.size(); ++k) {
        const auto epilogue = epilogue_of(dag, state, k, least_share * state.cost);
        if (epilogue) found.push_back(*epilogue);
    }
    return found;
}

}  // namespace autoschedule_gpu
