// What a stage computes: operations by kind and type, and whether a GPU can do them.
#pragma once

#include <Halide.h>

#include <string>

#include "bridge/read_loads.h"
#include "dag/op_histogram.h"

namespace autoschedule_gpu::reading {

// Operations for one evaluation of the definition. Address arithmetic (in the coordinates of
// reads and of the store) is left out, except where it depends on data: the clamp and scale of a
// table index are work like any other.
OpHistogram ops_of(const StageGraph &graph);

// Why the definition can't run on the target's GPU, as "calls print()" or "computes with float64,
// which ..."; empty when it can.
std::string host_reason_of(const StageGraph &graph, const Halide::Target &target);

// Why elements of a type can't be loaded or stored by the target's GPU; empty when they can.
std::string unsupported_type(const Halide::Type &type, const Halide::Target &target);

}  // namespace autoschedule_gpu::reading
