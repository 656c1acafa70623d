// The scheduler of Sioutas et al. 2020 (§4): no search tree, one guess that is improved.
//
//     inline trivial stages ─► merge groups while that pays ─► nested fusion ─► final tiling
//
// A group is a Func at root with the Funcs that are computed in its kernels. Two are merged where
// all that reads the one is in a single kernel of the other: overlapping tiles in shared memory
// (figure 3). A reduction may also come together with its wrapper, whose kernel then has all stages
// of it. Nested fusion (figure 4, Listing 2) lowers where a member is computed: from the block into
// the threads that read it, where the group takes much shared memory or they share none of it, so
// that shared memory becomes registers; and from the block into the loop of a reduction there, so
// that it holds what one iteration needs. Listing 2 decides by overlap, this by cost, which counts
// what is computed again.
//
// Beyond the paper a thread may have several points, and reductions may meet in atomic operations.
//
// Costs are those of any CostModel; the paper's is scheduler/model/analytical.h, which counts
// otherwise while groups are merged.
#pragma once

#include "scheduler/model/cost_model.h"
#include "scheduler/search/report.h"
#include "scheduler/search/search_context.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

struct GroupingModels {
    const CostModel &merging;  // for what is inlined and merged
    const CostModel &tiling;   // for the rest, and the cost of the result
};

// One complete state. Of the options, the seed and the size of the search have no part in it. When
// the time is up, what is found by then is returned.
SearchResult greedy_grouping(const SearchSpace &space, const GroupingModels &models,
                             SearchContext &context, Fusion fusion);

}  // namespace autoschedule_gpu
