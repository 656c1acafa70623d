#include "learn/random_pipelines/surroundings.h"

#include <algorithm>

namespace autoschedule_gpu::random_pipelines {

std::vector<HandSchedule> draw_hand_schedules(PipelineBuilder &builder) {
    using Form = HandSchedule::Form;
    std::vector<HandSchedule> schedules;
    if (!builder.chance(35)) return schedules;
    for (const Value *value : builder.values()) {
        if (value->input >= 0 || builder.stays_inline(*value)) continue;
        if (!builder.chance(30)) continue;
        const Form form = static_cast<Form>(builder.random().below(4));
        if (form == Form::tiles && !fits_every_kernel(value->func)) continue;
        schedules.push_back({value->func, form});
        ++builder.features["scheduled_by_hand"];
    }
    return schedules;
}

void draw_layouts(PipelineBuilder &builder, const std::vector<OutputFunc> &outputs) {
    const auto free = [&](Halide::OutputImageParam buffer) {
        if (buffer.dimensions() < 2 || !builder.chance(40)) return;
        buffer.dim(0).set_stride(Halide::Expr());
        ++builder.features["any_layout"];
    };
    for (const InputImage &input : builder.inputs) {
        const Span channels = input.region.size() == 3 ? input.region[2] : Span{};
        if (channels.extent() >= 3 && channels.lo == 0 && builder.chance(25)) {
            Halide::ImageParam image = input.param;
            image.dim(0).set_stride(channels.extent());
            image.dim(2).set_stride(1).set_bounds(0, channels.extent());
            ++builder.features["interleaved"];
        } else {
            free(input.param);
        }
    }
    for (const OutputFunc &output : outputs) {
        for (const Halide::OutputImageParam &buffer : output.func.output_buffers()) free(buffer);
    }
}

}  // namespace autoschedule_gpu::random_pipelines
