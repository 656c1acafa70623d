// What the numbers of a directive stand for in a pipeline.
#pragma once

#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

// Null where there is no such Func, stage or loop: a directive may have made it.
const Func *find_func(const Dag &dag, int halide_index);
const std::vector<Loop> *find_loops(const Dag &dag, int func, int stage);
const Loop *find_loop(const Dag &dag, int func, int stage, int loop);

// Of a loop of the algorithm, without Halide's counter; as the directive calls it where there is
// none.
std::string loop_name(const Dag &dag, int func, int stage, const LoopRef &loop);

// Says of the algorithm's loops whether they are reductions. `dag` must outlive it.
ReductionLoops::Original reductions_of(const Dag &dag);

}  // namespace autoschedule_gpu
