#include "scheduler/schedule/write/sites.h"

#include "scheduler/nest/sliding.h"
#include "scheduler/schedule/write/loop_names.h"
#include "scheduler/schedule/write/stage_loops.h"

namespace autoschedule_gpu::writing {

Home home_of(const Nest &nest, StageId stage) {
    for (const KernelPtr &kernel : nest.kernels) {
        if (kernel->on_host && kernel->stage == stage) return {kernel.get(), nullptr};
        for (const Band *threads : thread_bands(*kernel)) {
            for (const Band *inner : innermost_bands(*threads)) {
                if (inner->stage == stage) return {kernel.get(), threads};
            }
        }
    }
    return {};
}

LoopRef block_site(const Dag &dag, const Kernel &kernel) {
    const std::vector<LoopRef> blocks = block_loops(dag, kernel, root_loops(dag, kernel));
    if (blocks.empty()) return single_block(dag, kernel.stage);
    const bool is_fused = kernel.with.valid() && blocks.size() > 1;
    return is_fused ? shared_blocks(dag, kernel.stage) : blocks.front();
}

LoopRef loop_site(const Dag &dag, BlockLoop loop) {
    size_t i = 0;
    while (!is_outside(dag, loop, i)) ++i;
    return original(dag, loop.update, i);
}

std::optional<LoopRef> walk_site(const Dag &dag, const Kernel &kernel) {
    const std::optional<size_t> loop = walked_loop(kernel.tiling);
    return loop ? root_loops(dag, kernel).walk[*loop] : std::nullopt;
}

LoopRef thread_site(const Dag &dag, const Kernel &kernel, const Band &threads) {
    const StageLoops loops = threads.stage == kernel.stage
                                 ? root_loops(dag, kernel)
                                 : block_level_loops(dag, kernel, threads);
    return thread_loops(threads, loops).front();
}

}  // namespace autoschedule_gpu::writing
