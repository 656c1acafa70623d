// After the search: what kernels read of other Funcs is staged in their shared memory or registers,
// where that pays (beyond the paper). A kernel's cost depends on nothing outside it, so this is
// decided kernel by kernel and needs no beam; the search itself, with a Func more to decide for
// every read, would find less in the same time. Then Funcs that may be better off elsewhere now
// are decided anew together with the staging of what they read and of what reads them
// (scheduler/search/reconsider_places.h).
#pragma once

#include <optional>
#include <span>

#include "scheduler/model/cost_model.h"
#include "scheduler/search/report.h"
#include "scheduler/search/search_context.h"
#include "scheduler/search/search_parts.h"
#include "scheduler/space/space.h"
#include "scheduler/space/wrappers.h"

namespace autoschedule_gpu {

struct StagedReads {
    Dag dag;      // with a wrapper for each read that might have been staged
    State state;  // complete, of a space over this Dag
};

// `state`: complete, of `space`. Nothing where no staging makes it cheaper. The time counts as
// times.stage of the report, and is a part of the time limit.
std::optional<StagedReads> stage_inputs(const SearchSpace &space, const CostModel &model,
                                        SearchContext &context, const State &state,
                                        SearchReport &report);

// The wrapped nest, of a space over its Dag, for kernels whose code needs too many registers, by
// their numbers: each of their reads is staged in shared memory with which the nest costs less than
// so many times as much. Addresses in global memory take registers, those in shared memory are
// constants.
State with_staged_reads(SearchParts &parts, const WrappedReads &wrapped,
                        std::span<const size_t> kernels, double most_rise);

}  // namespace autoschedule_gpu
