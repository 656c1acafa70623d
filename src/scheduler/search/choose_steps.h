// After the search: how many iterations of each reduction that stays a loop in a thread are written
// out (Band::steps), where that pays, and whether a kernel is better without vectors of steps
// (scheduler/nest/step_vectors.h) or loads ahead (scheduler/nest/loads_ahead.h). Kernel by kernel
// and stage by stage, since neither depends on another.
#pragma once

#include <vector>

#include "scheduler/model/cost_model.h"
#include "scheduler/search/report.h"
#include "scheduler/search/search_context.h"
#include "scheduler/search/search_parts.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

// `state`: complete, of `space`. Never costs more than that.
State choose_steps(const SearchSpace &space, const CostModel &model, SearchContext &context,
                   State state, SearchReport &report);

// The states with half as many steps of one stage in that kernel, or twice as many, the cheapest
// first. None where steps are not to be decided (SearchOptions::decides).
std::vector<State> with_fewer_steps(SearchParts &parts, const State &state, size_t kernel);
std::vector<State> with_more_steps(SearchParts &parts, const State &state, size_t kernel);

// The state with all reductions of that kernel as loops, by its index in the nest: no steps are
// written out, and no whole reductions but those that index arrays in registers, and all where it
// is not to be decided what is unrolled.
State with_reductions_as_loops(SearchParts &parts, State state, size_t kernel);

}  // namespace autoschedule_gpu
