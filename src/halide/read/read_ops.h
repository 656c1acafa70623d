// What a stage computes: operations by kind and type, and whether a GPU can do them.
#pragma once

#include <Halide.h>

#include <string>

#include "core/dag/op_histogram.h"
#include "halide/read/read_loads.h"

namespace autoschedule_gpu::reading {

// Operations for one evaluation of the definition. Address arithmetic (in the coordinates of
// reads and of the store) is left out, except where it depends on data: the clamp and scale of a
// table index are work like any other.
OpHistogram ops_of(const StageGraph &graph);

// Why the definition can't run on the target's GPU, as "calls print()" or "computes with float64,
// which ..."; empty when it can.
std::string host_reason_of(const StageGraph &graph, const Halide::Target &target);

// Why the target's GPU can't have values of a type; empty when it can.
std::string unsupported_type(const Halide::Type &type, const Halide::Target &target);

// Why the target's GPU can compute values of a type but neither load nor store them; empty when it
// can. (Booleans, which SPIR-V does not have in memory.)
std::string lack_of_stored(const Halide::Type &type, const Halide::Target &target);

}  // namespace autoschedule_gpu::reading
