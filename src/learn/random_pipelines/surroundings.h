// What is said of a pipeline beside its algorithm: which Funcs are scheduled by hand, and which
// layouts its buffers may have.
#pragma once

#include "learn/random_pipelines/pipeline_builder.h"

namespace autoschedule_gpu::random_pipelines {

// Schedules a few Funcs by hand in some pipelines, and none in the others. What users must not do,
// such as put on the GPU what no kernel can hold, isn't drawn.
std::vector<HandSchedule> draw_hand_schedules(PipelineBuilder &builder);

// Lets some images and outputs have any layout, and others an interleaved one only.
void draw_layouts(PipelineBuilder &builder, const std::vector<OutputFunc> &outputs);

}  // namespace autoschedule_gpu::random_pipelines
