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
#include "scheduler/space/space.h"

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

// The same for kernels whose code needs too many registers, by their numbers: each of their reads
// is staged that makes `state` dearer by no more than so much (1.1: a tenth). Addresses in global
// memory take registers, those in shared memory are constants.
StagedReads with_staged_reads(const SearchSpace &space, const CostModel &model,
                              SearchContext &context, const State &state,
                              std::span<const size_t> kernels, double most_rise,
                              SearchReport &report);

}  // namespace autoschedule_gpu
