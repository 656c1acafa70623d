// Steps of a thread's reduction loop that read their inputs together, four by four
// (scheduler/nest/step_vectors.h): the schedule of the update, and the copies that it reads.
#pragma once

#include "scheduler/nest/nest.h"
#include "scheduler/nest/step_vectors.h"
#include "scheduler/schedule/write/branches.h"
#include "scheduler/schedule/write/directive_list.h"

namespace autoschedule_gpu::writing {

// What the steps read is computed in a loop of one name in every branch: of four steps, which are
// written out, or of one.
void write_four_steps(DirectiveList &out, const Kernel &kernel, StageId stage,
                      const StepVectors &vectors, Tiles tiles);

// The copies in registers of what four steps read. They are Funcs that the pipeline does not have,
// and have numbers behind those of all that it has.
class StepCopies {
public:
    explicit StepCopies(int first_number) : next_(first_number) {}

    // Those of a Func's stages.
    void write(DirectiveList &out, const Nest &nest, FuncId func);

private:
    void write_copy(DirectiveList &out, StageId reader, FuncId read, const LoopRef &loop);

    int next_;
};

}  // namespace autoschedule_gpu::writing
