// After the search: Funcs that are computed inline, of which a copy at root pays whose memory is in
// another order (core/dag/storage_order.h). A product of two matrices that lie along their sum's
// loop is one: whichever way threads go, the lanes of one operand are whole rows apart, until that
// is transposed once. This goes beyond the papers.
#pragma once

#include <optional>

#include "scheduler/model/cost_model.h"
#include "scheduler/search/other_orders.h"
#include "scheduler/search/report.h"
#include "scheduler/search/search_context.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

// `state`: complete, of `space`, as a search found it. Nothing where no copy makes it cheaper.
std::optional<ReorderedStorage> copy_reordered(const SearchSpace &space, const CostModel &model,
                                               SearchContext &context, const State &state,
                                               SearchReport &report);

}  // namespace autoschedule_gpu
