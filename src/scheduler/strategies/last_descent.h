// After all else: single decisions of what was found are changed as long as that pays. Each part of
// the search decides its own kind with the others as they were then; what came later (a launch that
// is shared, a block that is fitted) may have made another choice the better one. This is the
// coordinate descent of Canesche et al. 2024 (§3) with the model in the place of the device.
#pragma once

#include "scheduler/search/report.h"
#include "scheduler/search/search_context.h"
#include "scheduler/strategies/strategy.h"

namespace autoschedule_gpu {

// `found`: complete. Never costs more than that. The same where no list of decisions leads to it.
// What is decided of orders in memory stays: to change one asks for other tilings, too
// (scheduler/search/reorder_storage.h). Kinds that are switched off stay as they are.
CompleteState last_descent(const SearchProblem &problem, SearchContext &context,
                           CompleteState found, SearchReport &report);

}  // namespace autoschedule_gpu
