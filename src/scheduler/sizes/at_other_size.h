// A schedule that was made for one size of a pipeline, at another size: what it computes there, so
// that the model can price it.
#pragma once

#include <memory>
#include <optional>

#include "core/dag/dag.h"
#include "scheduler/model/cost_model.h"
#include "scheduler/rules/rule_book.h"
#include "scheduler/search/search_context.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

// A complete state at the size that it was made for.
struct MadeForSize {
    const Dag &dag;  // with wrappers of its own
    const State &state;
    Freedom freedom = Freedom::full;
};

struct AtOtherSize {
    std::shared_ptr<const Dag> dag;
    State state;  // complete, with its costs
};

// What schedules are priced by.
struct Pricing {
    const GpuModel &gpu;
    const CostModel &model;
    const RuleBook &rules;
};

// The same schedule, directive by directive, at the size of `dag`: the same pipeline with wrapped
// reductions. Nothing where it is not the same there, where it computes less than a tile, or where
// a limit of the device is in its way.
std::optional<AtOtherSize> at_other_size(const MadeForSize &made, const Dag &dag,
                                         const Pricing &pricing, SearchContext &context);

}  // namespace autoschedule_gpu
