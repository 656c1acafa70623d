#include "scheduler/nest/padding.h"

#include <algorithm>

#include "scheduler/nest/channel_vectors.h"
#include "scheduler/nest/regions.h"
#include "scheduler/nest/shared_storage.h"

namespace autoschedule_gpu {

namespace {

constexpr int64_t kWordBytes = 4;  // that a bank has of each row of banks

// Extents of what a block stores of the Func of a stage.
ConstantExtents stored_extents(const Dag &dag, const Kernel &kernel, const Band &threads) {
    const Stage &stage = dag.stage(threads.stage);
    ConstantExtents extents =
        extents_in_block(dag, kernel, stage.func, loop_around(dag, kernel, stage.func));
    const Band &inner = *threads.body.back();
    if (!extents || inner.level != Level::serial) return extents;
    // A split may round them up.
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        int64_t &extent = (*extents)[static_cast<size_t>(stage.loops[i].dim)];
        extent = std::max(extent, threads.trips[i] * inner.trips[i]);
    }
    return extents;
}

ConstantExtents stored_extents(const Dag &dag, const Kernel &kernel, StageId stage) {
    const Band *threads = find_threads(kernel, stage);
    const bool is_shared = threads != nullptr && stage != kernel.stage &&
                           threads->memory == MemoryKind::shared && dag.stage(stage).index == 0 &&
                           !dag.func_of(stage).dims.empty();
    return is_shared ? stored_extents(dag, kernel, *threads) : std::nullopt;
}

}  // namespace

std::optional<int64_t> stored_row(const Dag &dag, const Kernel &kernel, StageId stage) {
    const ConstantExtents extents = stored_extents(dag, kernel, stage);
    return extents ? std::optional(extents->front()) : std::nullopt;
}

std::optional<int64_t> padded_row(const Dag &dag, const Kernel &kernel, StageId stage) {
    const ConstantExtents extents = stored_extents(dag, kernel, stage);
    if (!extents) return std::nullopt;
    const Func &func = dag.func_of(stage);
    if (channels_in_block(dag, kernel, dag.stage(stage).func)) return std::nullopt;
    const int64_t widest = widest_shared_element(dag, kernel);
    const int64_t one_row[] = {extents->front(), 1};
    const int64_t row = stored_points(one_row, shared_row_alignment(func, widest));
    if (std::ranges::all_of(extents->begin() + 1, extents->end(), [](int64_t n) { return n == 1; }))
        return std::nullopt;
    // Rows are whole words, whatever is beside them.
    const int64_t unit = shared_row_alignment(func, std::max(widest, kWordBytes));
    const int64_t units = (row + unit - 1) / unit;
    const int64_t odd = (units % 2 == 0 ? units + 1 : units) * unit;
    return odd == row ? std::nullopt : std::optional(odd);
}

}  // namespace autoschedule_gpu
