// The kinds of Funcs that a random pipeline is drawn from: one list, from which the generator
// draws, the diversity test counts, and pipeline_fuzz prints its table.
#pragma once

#include <span>

#include "learn/random_pipelines/pipeline_builder.h"

namespace autoschedule_gpu::random_pipelines {

struct Kind {
    const char *name;
    int weight;
    // Adds one or more Funcs to the workshop; false, with nothing added, when no value there is
    // fit for it.
    bool (*make)(PipelineBuilder &);
};

std::span<const Kind> pointwise_kinds();
std::span<const Kind> access_kinds();
std::span<const Kind> stencil_kinds();
std::span<const Kind> reduction_kinds();
std::span<const Kind> update_kinds();

std::vector<Kind> all_kinds();

// The spans that remain when a window of offsets [lo, hi] is applied to a dimension: shrunk to
// where no clamp is needed, or left alone where nothing would remain.
Span shrink(Span span, int lo, int hi);

}  // namespace autoschedule_gpu::random_pipelines
