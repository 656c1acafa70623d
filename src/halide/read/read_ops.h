// Counts what a stage computes, by kind and type, and finds whether a GPU can do it.
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "core/dag/op_histogram.h"
#include "halide/read/read_choices.h"
#include "halide/read/read_loads.h"
#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {

// Returns the operations of one evaluation of the definition. Address arithmetic (in the
// coordinates of reads and of the store) is left out, except where it depends on data: the clamp
// and scale of a table index are work like any other.
// What Halide spares (Stage::spared_ops) is apart; of what is computed, so much is not taken
// (Stage::untaken_ops), and so much does not depend on all loops of `source` (Stage::shared_ops).
struct Ops {
    OpHistogram computed, spared;
    std::vector<OpHistogram> untaken;
    std::vector<SharedOps> shared;
};
Ops ops_of(const StageSource &source, const StageGraph &graph, const Choices &choices);

// Returns why the definition cannot run on the target's GPU, as "calls print()" or "computes with
// float64, which ..."; empty if it can.
std::string host_reason_of(const StageGraph &graph, const Halide::Target &target);

// Returns whether the order in which points are computed may be seen: the definition prints, or
// calls C functions that are not declared pure.
bool must_be_in_order(const StageGraph &graph);

// Returns why the target's GPU cannot have values of a type; empty if it can.
std::string unsupported_type(const Halide::Type &type, const Halide::Target &target);

// Returns why the target's GPU can neither load nor store values of a type that it can compute;
// empty if it can. (SPIR-V has no Booleans in memory.)
std::string lack_of_stored(const Halide::Type &type, const Halide::Target &target);

}  // namespace autoschedule_gpu::reading
