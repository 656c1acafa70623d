// A state of a pipeline in which a Func's dimensions lie in memory in another order than they did
// when the state was found (core/dag/storage_order.h). The loops that are threads x, y and z go by
// that order, so the kernels that write or read the Func are made anew, tiled as they were.
#pragma once

#include <optional>
#include <vector>

#include "scheduler/space/space.h"
#include "scheduler/space/state.h"

namespace autoschedule_gpu {

// The kernels of a Func at root and those that read it, by their indices in the nest; ascending.
std::vector<size_t> kernels_that_touch(const Dag &dag, const State &state, FuncId func);

// `space`: over the pipeline with the new order; `nest`: complete, of the other. Costs are not
// filled in. Nothing if a rule forbids one of the kernels.
std::optional<State> stored_anew(const SearchSpace &space, const Nest &nest, FuncId func);

}  // namespace autoschedule_gpu
