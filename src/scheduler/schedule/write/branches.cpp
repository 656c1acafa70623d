#include "scheduler/schedule/write/branches.h"

#include <optional>
#include <utility>

#include "scheduler/nest/full_tiles.h"
#include "scheduler/schedule/stage_kind.h"
#include "scheduler/schedule/write/loop_names.h"

namespace autoschedule_gpu::writing {

void write_branches(DirectiveList &out, const Kernel &kernel, StageId stage,
                    const std::function<void(Tiles)> &write) {
    const Dag &dag = out.dag();
    const std::optional<FullTiles> sizes =
        kernel.stage == stage ? full_tiles(dag, kernel) : full_tiles_around(dag, kernel, stage);
    if (!sizes) {
        write(Tiles::full);
        return write_settings(out, kernel, stage, Branch::otherwise);
    }
    Directive &specialize = out.add(stage, DirectiveOp::specialize);
    specialize.site_func = dag.func_of(kernel.stage).halide_index;
    specialize.least = sizes->least;
    specialize.most = sizes->most;
    for (const auto &[loop, least, most] : sizes->reductions) {
        specialize.loops.push_back(original(dag, stage, loop));
        specialize.least.push_back(least);
        specialize.most.push_back(most);
    }
    out.in_branch(Branch::full_tiles, [&] { write(Tiles::full); });
    write(Tiles::any);
    write_settings(out, kernel, stage, Branch::full_tiles);
}

void write_settings(DirectiveList &out, const Kernel &kernel, StageId stage, Branch branch) {
    for (const StageSetting &setting : kernel.settings) {
        if (setting.stage != stage) continue;
        for (Directive more : setting.kind->directives(out.dag(), kernel, stage)) {
            if (!is_func_level(more.op)) more.branch = branch;
            out.add(std::move(more));
        }
    }
}

}  // namespace autoschedule_gpu::writing
