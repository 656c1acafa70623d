#include "scheduler/schedule/write/loop_names.h"

#include <algorithm>
#include <utility>

#include "scheduler/schedule/ascii.h"

namespace autoschedule_gpu::writing {

namespace {

// An identifier, as loops of traces need.
std::string with_underscores(std::string name) {
    for (char &c : name) {
        if (!is_letter_or_digit(c)) c = '_';
    }
    return name.empty() || is_digit(name.front()) ? "_" + name : name;
}

// Unlike those of the stage's own loops.
LoopRef unlike_own(const Stage &stage, std::string name) {
    while (std::ranges::find(stage.loops, name, &Loop::name) != stage.loops.end()) name += '_';
    return LoopRef::made(std::move(name));
}

LoopRef fresh(const Stage &stage, std::string name) {
    if (stage.index > 0) name += std::to_string(stage.index - 1);
    return unlike_own(stage, std::move(name));
}

}  // namespace

LoopRef original(const Dag &dag, StageId stage, size_t loop) {
    return {static_cast<int>(loop), dag.stage(stage).loops[loop].name};
}

LoopRef dimension(const Dag &dag, FuncId func, int dim) {
    const StageId pure = dag.func(func).stages[0];
    const std::vector<Loop> &loops = dag.stage(pure).loops;
    const auto loop = std::ranges::find(loops, dim, &Loop::dim);
    return original(dag, pure, static_cast<size_t>(loop - loops.begin()));
}

LoopRef made(const Dag &dag, StageId id, size_t loop, const std::string &level) {
    const Stage &stage = dag.stage(id);
    std::string base = with_underscores(stage.loops[loop].name);
    const bool twin =
        std::any_of(stage.loops.begin(), stage.loops.begin() + static_cast<std::ptrdiff_t>(loop),
                    [&](const Loop &other) { return with_underscores(other.name) == base; });
    if (twin) base += std::to_string(loop);
    return fresh(stage, base + '_' + level);
}

LoopRef loop_over_copies(const Dag &dag, StageId stage, size_t loop) {
    return made(dag, stage, loop, "o");
}

LoopRef single_block(const Dag &dag, StageId stage) {
    return fresh(dag.stage(stage), "only_b");
}

LoopRef single_thread(const Dag &dag, StageId stage) {
    return fresh(dag.stage(stage), "only_t");
}

LoopRef shared_blocks(const Dag &dag, StageId stage) {
    return fresh(dag.stage(stage), "blocks");
}

LoopRef fused(const Dag &dag, StageId stage, const LoopRef &inner, const LoopRef &outer) {
    return unlike_own(dag.stage(stage), with_underscores(inner.name + "_" + outer.name));
}

}  // namespace autoschedule_gpu::writing
