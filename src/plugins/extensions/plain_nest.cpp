#include "plugins/extensions/plain_nest.h"

#include <algorithm>

namespace autoschedule_gpu {
namespace {

int64_t extent_of(const Dag &dag, FuncId func, const Loop &loop) {
    return loop.dim < 0 ? loop.range.extent()
                        : dag.func(func).dims[static_cast<size_t>(loop.dim)].estimate.extent();
}

// The stage with its loops, none of which is split.
api::Stage whole_stage(const Dag &dag, StageId id) {
    const Stage &stage = dag.stage(id);
    const Func &func = dag.func(stage.func);
    api::Stage out;
    out.name = stage_name(dag, id);
    out.func = func.name;
    out.func_index = func.halide_index;
    out.update = stage.index;
    out.is_output = func.is_output();
    out.element_bytes = func.bytes_per_point();
    for (const Dimension &dim : func.dims) out.extents.push_back(dim.estimate.extent());
    for (const Loop &loop : stage.loops) {
        api::Loop &copy = out.loops.emplace_back();
        copy.name = loop.name;
        copy.extent = extent_of(dag, stage.func, loop);
        copy.reduction = loop.kind == Loop::Kind::reduction;
    }
    return out;
}

class KernelReader {
public:
    KernelReader(const Dag &dag, const GpuModel &gpu, const Kernel &kernel)
        : dag_(dag), gpu_(gpu), kernel_(kernel) {}

    api::Kernel read() {
        out_.name = stage_name(dag_, kernel_.stage);
        out_.on_host = kernel_.on_host;
        for (FuncId func : kernel_.inlined) out_.inlined.push_back(dag_.func(func).name);
        if (kernel_.on_host) {
            out_.stages.push_back(whole_stage(dag_, kernel_.stage));
            return std::move(out_);
        }
        out_.blocks = iterations(*kernel_.blocks);
        const ThreadExtents block = block_size(kernel_);
        out_.threads_x = block.x;
        out_.threads_y = block.y;
        out_.threads_z = block.z;
        for (const Band *threads : thread_bands(kernel_)) read(*threads);
        return std::move(out_);
    }

private:
    // The stages of a thread band: those in its threads, then the one whose threads they are.
    void read(const Band &threads) {
        const std::vector<const Band *> inner = innermost_bands(threads);
        const int own = static_cast<int>(out_.stages.size() + inner.size()) - 1;
        for (const Band *band : inner) {
            const bool is_own = static_cast<int>(out_.stages.size()) == own;
            api::Stage &stage = out_.stages.emplace_back(whole_stage(dag_, band->stage));
            stage.inside = is_own ? -1 : own;
            stage.memory = band->memory;
            for (size_t i = 0; i < stage.loops.size(); ++i) {
                api::Loop &loop = stage.loops[i];
                loop.serial = band->trips[i];
                if (!is_own) continue;
                loop.threads = threads.trips[i];
                if (is_outside_threads(dag_, threads, i)) loop.rounds = loop.extent;
                if (threads.stage == kernel_.stage) loop.blocks = kernel_.blocks->trips[i];
            }
            if (stage.memory != MemoryKind::global) fit_extents(stage);
        }
        const Stage &own_stage = dag_.stage(threads.stage);
        if (threads.stage == kernel_.stage || own_stage.index > 0) return;
        out_.shared_bytes += iterations(threads) * iterations(*threads.body.back()) *
                             dag_.func(own_stage.func).bytes_per_point(gpu_.shared_element_bytes);
    }

    // What a block or a thread computes of a stage is the part that its trips cover.
    static void fit_extents(api::Stage &stage) {
        for (api::Loop &loop : stage.loops) {
            if (!loop.reduction) loop.extent = loop.threads * loop.serial;
        }
    }

    const Dag &dag_;
    const GpuModel &gpu_;
    const Kernel &kernel_;
    api::Kernel out_;
};

}  // namespace

api::Kernel plain_kernel(const Dag &dag, const GpuModel &gpu, const Kernel &kernel) {
    return KernelReader(dag, gpu, kernel).read();
}

api::Stage plain_stage_at_root(const Dag &dag, StageId stage, std::span<const LoopTile> tiling) {
    api::Stage out = whole_stage(dag, stage);
    for (size_t i = 0; i < std::min(out.loops.size(), tiling.size()); ++i) {
        api::Loop &loop = out.loops[i];
        loop.serial = tiling[i].serial;
        loop.threads = tiling[i].threads;
        if (!is_split(dag.stage(stage).loops[i], tiling[i])) {
            loop.serial = loop.extent;
            continue;
        }
        const int64_t points = tiling[i].points(), tiles = (loop.extent + points - 1) / points;
        const bool by_blocks = has_blocks(dag.stage(stage).loops[i], tiling[i]);
        (by_blocks ? loop.blocks : loop.serial) = tiles;
    }
    return out;
}

}  // namespace autoschedule_gpu
