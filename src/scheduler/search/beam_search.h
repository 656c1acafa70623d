// Beam search over the steps of a search space (Anderson 2021 §4), in passes that look at ever
// finer structure; what they find is improved at the end of each and after the last.
//
//     freezing ─► pass ─► improve tilings ─► pass ─► ... ─► reconsider places ─► the best states
//
// Same input, same seed: same result, on any number of threads. Prints nothing, installs nothing,
// leaves no thread behind.
#pragma once

#include "scheduler/model/cost_model.h"
#include "scheduler/search/report.h"
#include "scheduler/search/search_context.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

// Without sampling every pass would repeat the first, so one is made.
//
// `draft`, if given: a complete nest over the space's pipeline that was found in another way. It is
// a state among those that are found, so that the result never costs more.
SearchResult beam_search(const SearchSpace &space, const CostModel &model, SearchContext &context,
                         const Nest *draft = nullptr);

}  // namespace autoschedule_gpu
