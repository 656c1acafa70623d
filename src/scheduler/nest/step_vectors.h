// Which steps of a reduction loop of a thread read their inputs together: four that follow each
// other along the rows of an input, which one instruction loads (16 bytes, as those of
// scheduler/nest/vectors.h). A row of the left matrix of a product is an example.
//
// A thread copies what the four steps read into registers, by vectors, and then makes the steps.
// Halide must know when it compiles that there are whole fours of steps, and that the rows of the
// inputs begin at multiples of 16 bytes. So the update has one schedule more, for where it is so;
// where it is not, it makes one step at a time (scheduler/schedule/write/steps_of_copies.h). This
// goes beyond the papers.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// What the four steps read of an input.
struct StepVector {
    FuncId read;   // what the update reads: the input under another name, which is inlined
    FuncId input;  // whose rows must be aligned
};

struct StepVectors {
    size_t loop = 0;  // of the update
    std::vector<StepVector> reads;
};

// Those of an update in the kernel's threads; none if there are no such reads, or the kernel has
// them switched off.
std::optional<StepVectors> step_vectors(const Dag &dag, const Kernel &kernel, StageId stage);

// Whether some update of the kernel could have them, be they switched off.
bool may_have_step_vectors(const Dag &dag, const Kernel &kernel);

}  // namespace autoschedule_gpu
