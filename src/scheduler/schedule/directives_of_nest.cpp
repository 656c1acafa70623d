// Wrappers come first, then Func by Func where it is computed, how it is stored, and its stages.
// Each of these is a file of write/:
//
//     directives ─► wrappers, sites, storage, bounds     of a Func as a whole
//                ─► branches ─► root_stage ─► root_splits, any_size
//                            ─► block_stage
//                            ─► thread_stage
//                ─► host_stage
//
//     all stages ─► stage_loops ─► loop_names              what loops there are at each level
//                ─► unrolling, vectors, steps_of_copies    what becomes of the innermost ones
#include "scheduler/schedule/directives_of_nest.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "scheduler/schedule/write/block_stage.h"
#include "scheduler/schedule/write/bounds.h"
#include "scheduler/schedule/write/branches.h"
#include "scheduler/schedule/write/directive_list.h"
#include "scheduler/schedule/write/host_stage.h"
#include "scheduler/schedule/write/root_stage.h"
#include "scheduler/schedule/write/sites.h"
#include "scheduler/schedule/write/steps_of_copies.h"
#include "scheduler/schedule/write/storage.h"
#include "scheduler/schedule/write/thread_stage.h"
#include "scheduler/schedule/write/wrappers.h"

namespace autoschedule_gpu::writing {

namespace {

// Whether the Func has threads of its own in the blocks of a kernel.
bool is_per_block(const Func &func, const Home &home) {
    return home.threads->stage == func.stages[0];
}

void compute_at(DirectiveList &out, FuncId func, StageId site, LoopRef loop) {
    out.set_site(out.add(func, DirectiveOp::compute_at), site, std::move(loop));
}

// In a loop of the kernel's own stage, or of one that is computed in it.
void write_site(DirectiveList &out, const Home &home, FuncId id) {
    const Dag &dag = out.dag();
    const Kernel &kernel = *home.kernel;
    const Band &threads = *home.threads;
    if (!is_per_block(dag.func(id), home)) {
        compute_at(out, id, threads.stage, thread_site(dag, kernel, threads));
    } else if (threads.loop.valid()) {
        compute_at(out, id, threads.loop.update, loop_site(dag, threads.loop));
    } else if (const std::optional<LoopRef> walk = walk_site(dag, kernel)) {
        out.set_site(out.add(id, DirectiveOp::store_at), kernel.stage, block_site(dag, kernel));
        compute_at(out, id, kernel.stage, *walk);
    } else {
        compute_at(out, id, kernel.stage, block_site(dag, kernel));
    }
}

// What Funcs are written by, producers first.
class FuncWriter {
public:
    FuncWriter(const Dag &dag, const Nest &nest)
        : nest_(nest),
          moved_by_channels_(moved_by_channels(dag, nest)),
          copies_(first_free_number(dag, nest)) {}

    void write(DirectiveList &out, FuncId id) {
        const Func &func = out.dag().func(id);
        const Place place = nest_.place(id);
        if (func.is_input() || place == Place::inlined) return;
        if (func.ours == Func::Ours::nothing) return;
        if (place == Place::root) {
            write_at_root(out, id);
        } else {
            write_in_kernel(out, id);
        }
    }

private:
    void write_at_root(DirectiveList &out, FuncId id) {
        const Func &func = out.dag().func(id);
        out.add(id, DirectiveOp::compute_root);  // which its user may have said already
        write_root_storage(out, id);
        if (std::ranges::find(moved_by_channels_, id) != moved_by_channels_.end()) {
            bound_channels(out, id);
        }
        copies_.write(out, nest_, id);
        for (const StageId stage : func.stages) {
            const Kernel &kernel = *home_of(nest_, stage).kernel;
            if (kernel.on_host) {
                write_host_stage(out, stage);
                write_settings(out, kernel, stage, Branch::otherwise);
            } else {
                write_root_stage(out, nest_, stage);
            }
        }
    }

    void write_in_kernel(DirectiveList &out, FuncId id) {
        const Dag &dag = out.dag();
        const Func &func = dag.func(id);
        const Home home = home_of(nest_, func.stages[0]);
        const Kernel &kernel = *home.kernel;
        write_site(out, home, id);
        write_member_storage(out, home, id);
        copies_.write(out, nest_, id);
        if (kernel.aligned && dag.func_of(kernel.stage).is_output()) bound_in_tiles(out, home, id);
        const bool per_block = is_per_block(func, home);
        for (const StageId stage : func.stages) {
            const Home here = home_of(nest_, stage);
            write_branches(out, *here.kernel, stage, [&](Tiles tiles) {
                if (per_block) {
                    write_block_stage(out, *here.kernel, *here.threads, tiles);
                } else {
                    write_thread_stage(out, *here.kernel, *here.threads, stage, tiles);
                }
            });
        }
    }

    const Nest &nest_;
    std::vector<FuncId> moved_by_channels_;
    StepCopies copies_;
};

}  // namespace

}  // namespace autoschedule_gpu::writing

namespace autoschedule_gpu {

Schedule directives(const Dag &dag, const Nest &nest) {
    writing::DirectiveList out(dag);
    writing::FuncWriter funcs(dag, nest);
    writing::write_wrappers(out, nest);
    for (size_t i = 0; i < dag.funcs.size(); ++i) funcs.write(out, FuncId(i));
    return out.take();
}

}  // namespace autoschedule_gpu
