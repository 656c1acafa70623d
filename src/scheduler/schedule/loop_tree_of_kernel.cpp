#include "scheduler/schedule/loop_tree.h"

namespace autoschedule_gpu {

namespace {

LoopTree tree_of(const Dag &dag, const Band &band) {
    LoopTree tree{.stage = stage_name(dag, band.stage), .level = band.level, .memory = band.memory};
    const std::vector<Loop> &loops = dag.stage(band.stage).loops;
    const bool is_innermost = band.body.empty();
    const std::optional<UnrolledLoops> unrolled =
        is_innermost ? std::optional<UnrolledLoops>(std::in_place, dag, band) : std::nullopt;
    for (size_t i = 0; i < band.trips.size(); ++i) {
        if (band.trips[i] == 1) continue;
        tree.loops.push_back({loops[i].name, band.trips[i], unrolled ? (*unrolled)[i] : 1});
    }
    if (band.loop.valid()) tree.in_loop_of = stage_name(dag, band.loop.update);
    for (const BandPtr &child : band.body) tree.body.push_back(tree_of(dag, *child));
    return tree;
}

}  // namespace

LoopTree loop_tree(const Dag &dag, const Kernel &kernel) {
    return tree_of(dag, *kernel.blocks);
}

}  // namespace autoschedule_gpu
