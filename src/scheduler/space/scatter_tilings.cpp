#include "scheduler/space/scatter_tilings.h"

#include <algorithm>

#include "scheduler/nest/edit.h"
#include "scheduler/space/listed_tilings.h"

namespace autoschedule_gpu {

namespace {

// Threads per block: enough to hide latency, few enough that the whole range of bins fits.
constexpr int64_t kLeastScatterThreads = 32, kMostScatterThreads = 256;

// A loop of so few iterations is one of threads, whole.
constexpr int64_t kBrief = 4;

// Whether an update stores at a position along that dimension that data decides.
bool is_scattered(const Dag &dag, FuncId id, size_t dim) {
    const Func &func = dag.func(id);
    if (func.wraps.valid()) return is_scattered(dag, func.wraps, dim);
    return std::ranges::any_of(func.stages, [&](StageId stage) {
        const AccessMatrix &store = dag.stage(stage).store;
        for (size_t l = 0; l < store.loops(); ++l) {
            if (!store.at(dim, l).known) return true;
        }
        return false;
    });
}

// Whether the loop runs over a number of points that Halide knows at run time only.
bool varies(const Dag &dag, const Stage &stage, size_t loop) {
    const int dim = stage.loops[loop].dim;
    return dim >= 0 && !dag.func(stage.func).dims[static_cast<size_t>(dim)].constant;
}

// The loops that move along such dimensions of what the stage reads.
std::vector<bool> loops_along_bins(const Dag &dag, const Stage &stage) {
    std::vector<bool> along(stage.loops.size());
    for (const Load &load : stage.loads) {
        if (load.producer == stage.func) continue;
        for (size_t d = 0; d < load.access.dims(); ++d) {
            if (!is_scattered(dag, load.producer, d)) continue;
            for (size_t l = 0; l < along.size(); ++l) {
                along[l] = along[l] || (varies(dag, stage, l) && load.access.moves(d, l));
            }
        }
    }
    return along;
}

// Powers of two, or all of a brief loop.
std::vector<int64_t> thread_counts(int64_t extent) {
    if (extent <= kBrief) return {extent};
    std::vector<int64_t> result;
    for (int64_t threads = 1; threads <= std::min<int64_t>(32, extent); threads *= 2) {
        result.push_back(threads);
    }
    return result;
}

// Threads along `axes`, one after the other.
void list_threads(std::span<const int> axes, int64_t threads, Tiling &tiling,
                  ListedTilings &tilings) {
    if (axes.empty()) {
        if (threads >= kLeastScatterThreads) tilings.add(tiling);
        return;
    }
    const auto loop = static_cast<size_t>(axes.front());
    for (const int64_t along : thread_counts(tilings.extents()[loop])) {
        if (threads * along > kMostScatterThreads) break;
        tiling[loop].threads = along;
        list_threads(axes.subspan(1), threads * along, tiling, tilings);
    }
    tiling[loop].threads = 1;
}

}  // namespace

std::vector<Tiling> scatter_tilings(const Dag &dag, const GpuModel &gpu, const RuleBook &rules,
                                    StageId id, RuleCounts &counts) {
    const Stage &stage = dag.stage(id);
    if (stage.predicate_reads || dag.func(stage.func).stages.size() > 1) return {};
    const std::vector<bool> along = loops_along_bins(dag, stage);
    if (std::ranges::find(along, true) == along.end()) return {};
    ListedTilings tilings(dag, gpu, rules, id, counts);
    Tiling tiling(along.size());
    std::vector<int64_t> shared = tilings.extents();
    for (size_t l = 0; l < along.size(); ++l) {
        if (along[l]) tiling[l].rest = Rest::threads;
        if (along[l] || !stage.loops[l].parallel) shared[l] = 1;
    }
    list_threads(choose_axes(dag, id, shared), 1, tiling, tilings);
    return std::move(tilings).take();
}

}  // namespace autoschedule_gpu
