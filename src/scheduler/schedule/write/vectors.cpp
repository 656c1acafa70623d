#include "scheduler/schedule/write/vectors.h"

#include <algorithm>
#include <utility>

#include "scheduler/nest/channel_vectors.h"
#include "scheduler/nest/pixel_vectors.h"
#include "scheduler/nest/vectors.h"

namespace autoschedule_gpu::writing {

namespace {

api::PixelBuffer named(const Dag &dag, const PixelBuffer &buffer) {
    const Func &func = dag.func(buffer.func);
    api::PixelBuffer result;
    if (func.is_output()) result.func = func.halide_index;
    if (func.is_input()) result.input = func.name;
    result.dimensions = static_cast<int>(func.dims.size());
    result.pixels = static_cast<int>(buffer.pixels);
    if (buffer.channels) result.channels = static_cast<int>(*buffer.channels);
    result.step = buffer.step;
    return result;
}

}  // namespace

void vectorize_rows(DirectiveList &out, const Kernel &kernel, StageId stage,
                    const StageLoops &loops, Tiles tiles) {
    if (tiles == Tiles::any) return;
    const std::optional<size_t> loop = vector_loop(out.dag(), kernel, stage);
    if (!loop || !loops.serial[*loop]) return;
    Directive &vectorize = out.add(stage, DirectiveOp::vectorize_aligned);
    vectorize.loops = {*loops.serial[*loop]};
    ask_for_aligned_rows(vectorize, out.dag(), kernel, stage);
}

void vectorize_pixels(DirectiveList &out, const Kernel &kernel, const StageLoops &loops,
                      Tiles tiles) {
    if (tiles == Tiles::any) return;
    const std::optional<PixelVectors> vectors = pixel_vectors(out.dag(), kernel);
    if (!vectors) return;
    Directive &vectorize = out.add(kernel.stage, DirectiveOp::vectorize_pixels);
    vectorize.loops = {*loops.serial[vectors->loop]};
    vectorize.factor = vectors->points;
    for (const PixelBuffer &buffer : vectors->buffers) {
        vectorize.buffers.push_back(named(out.dag(), buffer));
    }
}

void bring_channels_inside(const Dag &dag, const Kernel &kernel, const StageLoops &loops,
                           std::vector<LoopRef> &order) {
    const std::optional<PixelVectors> vectors = pixel_vectors(dag, kernel);
    if (!vectors) return;
    std::ranges::stable_partition(order, [&](const LoopRef &loop) {
        return std::ranges::any_of(vectors->channels,
                                   [&](size_t i) { return loops.serial[i] == loop; });
    });
}

std::optional<LoopRef> take_channels(const Dag &dag, const Kernel &kernel, StageId stage,
                                     StageLoops &loops, Tiles tiles) {
    const std::optional<ChannelVector> channels = channel_vector(dag, kernel, stage);
    if (!channels || tiles != Tiles::full) return std::nullopt;
    return std::exchange(loops.serial[channels->loop], std::nullopt);
}

void ask_for_aligned_rows(Directive &directive, const Dag &dag, const Kernel &kernel,
                          StageId stage) {
    directive.site_func = dag.func(*aligned_output(dag, kernel)).halide_index;
    directive.inputs = buffers(dag, aligned_inputs(dag, kernel, stage));
}

std::vector<api::InputBuffer> buffers(const Dag &dag, const std::vector<FuncId> &inputs) {
    std::vector<api::InputBuffer> result;
    for (const FuncId input : inputs) {
        const Func &buffer = dag.func(input);
        result.push_back({buffer.name, static_cast<int>(buffer.dims.size())});
    }
    return result;
}

}  // namespace autoschedule_gpu::writing
