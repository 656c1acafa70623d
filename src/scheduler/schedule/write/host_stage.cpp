#include "scheduler/schedule/write/host_stage.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "scheduler/schedule/write/loop_names.h"

namespace autoschedule_gpu::writing {

namespace {

// Points of a stage that are worth waking other cores for, which takes some microseconds, and of
// each task that these are given.
constexpr double kLeastPoints = 1 << 14, kLeastPointsOfTask = 1 << 10;
// For fewer tasks than this the next loop is dealt out, too: there may be as many cores.
constexpr double kFewTasks = 16;

}  // namespace

void write_host_stage(DirectiveList &out, StageId id) {
    const Dag &dag = out.dag();
    const Stage &stage = dag.stage(id);
    const std::vector<Loop> &loops = stage.loops;
    const auto is_pure = [&](size_t loop) { return loops[loop].kind == Loop::Kind::pure; };
    const auto runs = [&](size_t loop) {
        return static_cast<double>(estimated_range(dag, stage, loops[loop]).extent());
    };
    if (dag.func_of(id).is_extern || dag.func_of(id).in_order) return;
    if (loops.empty() || !is_pure(loops.size() - 1)) return;

    size_t dealt = loops.size() - 1;
    LoopRef outer = original(dag, id, dealt);
    double tasks = runs(dealt), points_of_task = 1;
    for (size_t loop = 0; loop < dealt; ++loop) points_of_task *= runs(loop);
    if (tasks * points_of_task < kLeastPoints) return;
    while (tasks < kFewTasks && dealt > 0 && is_pure(dealt - 1)) {
        const LoopRef inner = original(dag, id, --dealt);
        const LoopRef both = fused(dag, id, inner, outer);
        out.fuse(id, inner, outer, both);
        outer = both;
        tasks *= runs(dealt);
        points_of_task /= runs(dealt);
    }
    if (points_of_task < kLeastPointsOfTask) {
        const LoopRef task = made(dag, id, dealt, "p"), inside = made(dag, id, dealt, "i");
        const auto together = static_cast<int64_t>(std::ceil(kLeastPointsOfTask / points_of_task));
        out.split(id, outer, task, inside, together, TailStrategy::guard_with_if);
        outer = task;
    }
    out.add(id, DirectiveOp::parallel).loops = {outer};
}

}  // namespace autoschedule_gpu::writing
