// The kinds of Funcs from which a random pipeline is drawn. The generator, the diversity test and
// the table of pipeline_fuzz all use this one list.
#pragma once

#include <span>

#include "learn/random_pipelines/pipeline_builder.h"
#include "learn/random_pipelines/random_pipeline.h"

namespace autoschedule_gpu::random_pipelines {

struct Kind {
    const char *name;
    int weight;
    // Adds one or more Funcs to the pipeline. Returns false, and adds nothing, if no existing value
    // is suitable as its input.
    bool (*make)(PipelineBuilder &);
};

std::span<const Kind> pointwise_kinds();
std::span<const Kind> access_kinds();
std::span<const Kind> stencil_kinds();
std::span<const Kind> reduction_kinds();
std::span<const Kind> update_kinds();

// What is legal and rare, and has broken schedulers.
std::span<const Kind> tricky_index_kinds();
std::span<const Kind> tricky_chain_kinds();
std::span<const Kind> tricky_value_kinds();
std::span<const Kind> tricky_update_kinds();
std::span<const Kind> tricky_stage_kinds();
std::span<const Kind> tricky_algorithm_kinds();

// What is clamped, but not to the edges of what it reads.
std::span<const Kind> clamped_kinds();

// What reads small tables at remainders of a coordinate, or by channels.
std::span<const Kind> table_kinds();

// Whether a family has what is legal and rare, and with it what is said beside an algorithm
// (surroundings.h).
bool has_tricky(Family family);

// The kinds of one family of pipelines, in the order in which they are drawn.
std::vector<Kind> kinds_of(Family family);

// Returns the span that remains when a window of offsets [lo, hi] is applied to it: reduced to
// where no clamp is needed, or unchanged if nothing would remain.
Span shrink(Span span, int lo, int hi);

}  // namespace autoschedule_gpu::random_pipelines
