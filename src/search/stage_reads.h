// After the search: what kernels read of other Funcs is staged in their shared memory or registers,
// where that pays (DESIGN §4, beyond the paper). A kernel's cost depends on nothing outside it, so
// this is decided kernel by kernel and needs no beam; the search itself, with a Func more to decide
// for every read, would find less in the same time. Then Funcs that may be better off elsewhere now
// are decided anew together with the staging of what they read and of what reads them
// (search/revise.h).
#pragma once

#include <optional>

#include "search/search.h"

namespace autoschedule_gpu {

struct StagedReads {
    Dag dag;      // with a wrapper for each read that might have been staged
    State state;  // complete, of a space over this Dag
};

// `state`: complete, of `space`. Nothing where no staging makes it cheaper. The time counts as
// times.stage of the report, and is a part of the time limit.
std::optional<StagedReads> stage_reads(const SearchSpace &space, const CostModel &model,
                                       const SearchOptions &options, const State &state,
                                       SearchReport &report);

}  // namespace autoschedule_gpu
