#include "scheduler/nest/block_loop.h"

#include <algorithm>

namespace autoschedule_gpu {

static int64_t count_reductions(const Stage &stage) {
    return std::ranges::count(stage.loops, false, &Loop::parallel);
}

bool is_outside(const Dag &dag, BlockLoop loop, size_t i) {
    const std::vector<Loop> &loops = dag.stage(loop.update).loops;
    if (loops[i].parallel) return false;
    if (loop.outside == Outside::all) return true;
    return std::all_of(loops.begin() + static_cast<std::ptrdiff_t>(i) + 1, loops.end(),
                       [](const Loop &outer) { return outer.parallel; });
}

int64_t loop_iterations(const Dag &dag, BlockLoop loop) {
    int64_t product = 1;
    if (!loop.valid()) return product;
    const std::vector<Loop> &loops = dag.stage(loop.update).loops;
    for (size_t i = 0; i < loops.size(); ++i) {
        if (is_outside(dag, loop, i)) product *= loops[i].range.extent();
    }
    return product;
}

bool may_have_loop(const Dag &dag, BlockLoop loop) {
    const Stage &update = dag.stage(loop.update);
    const int64_t least = loop.outside == Outside::all ? 1 : 2;
    if (count_reductions(update) < least || !is_predicate_uniform(update)) return false;
    const auto also_reduces = [&](StageId stage) { return reduces(dag.stage(stage)); };
    return std::ranges::count_if(dag.func(update.func).stages, also_reduces) == 1;
}

}  // namespace autoschedule_gpu
