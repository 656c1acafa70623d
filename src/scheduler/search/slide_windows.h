// After the search: which blocks walk (scheduler/nest/sliding.h), where that pays. What a kernel
// reads in windows is taken into its blocks, Func by Func (windows.h), with all tilings along which
// they may walk; the passes of a search, which have enough to choose from, do without.
#pragma once

#include <optional>

#include "scheduler/model/cost_model.h"
#include "scheduler/search/report.h"
#include "scheduler/search/search_context.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

// `state`: complete, of `space`. Nothing where no block walks, or it is hardly worth it. The effort
// is not the search's: what that finds is the same with it and without.
std::optional<State> slide_windows(const SearchSpace &space, const CostModel &model,
                                   const SearchContext &context, const State &state,
                                   SearchReport &report);

}  // namespace autoschedule_gpu
