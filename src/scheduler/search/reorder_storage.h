// After the search: which dimension of each Func at root is innermost in memory
// (core/dag/storage_order.h), where another than the first pays. A Func's order matters to the
// kernels that write and read it alone, so one is decided after the other: those of which the
// kernels as they are gain most come first, and are tried with tilings that suit the new order.
// This goes beyond the papers.
#pragma once

#include <optional>

#include "scheduler/model/cost_model.h"
#include "scheduler/search/other_orders.h"
#include "scheduler/search/report.h"
#include "scheduler/search/search_context.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

// `state`: complete, of `space`. Nothing where no other order makes it cheaper.
std::optional<ReorderedStorage> reorder_storage(const SearchSpace &space, const CostModel &model,
                                                SearchContext &context, const State &state,
                                                SearchReport &report);

}  // namespace autoschedule_gpu
