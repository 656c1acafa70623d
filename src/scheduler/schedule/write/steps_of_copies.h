// Steps of a thread's reduction loop that read copies in registers, several steps at once: four by
// vectors (scheduler/nest/step_vectors.h), or those of a scan ahead of what they store
// (scheduler/nest/loads_ahead.h). The schedule of the update, and the copies that it reads.
#pragma once

#include "scheduler/nest/loads_ahead.h"
#include "scheduler/nest/nest.h"
#include "scheduler/nest/step_vectors.h"
#include "scheduler/schedule/write/branches.h"
#include "scheduler/schedule/write/directive_list.h"

namespace autoschedule_gpu::writing {

// What the steps read is computed in a loop of one name in every branch: of several steps, which
// are written out, or of one.
void write_four_steps(DirectiveList &out, const Kernel &kernel, StageId stage,
                      const StepVectors &vectors, Tiles tiles);
void write_steps_ahead(DirectiveList &out, StageId stage, const LoadsAhead &ahead, Tiles tiles);

// The copies in registers of what the steps read. They are Funcs that the pipeline does not have,
// and have numbers behind those of all that it has.
class StepCopies {
public:
    explicit StepCopies(int first_number) : next_(first_number) {}

    // Those of a Func's stages.
    void write(DirectiveList &out, const Nest &nest, FuncId func);

private:
    // `rows`: how the first dimension of the copy is computed.
    void write_copy(DirectiveList &out, StageId reader, FuncId read, const LoopRef &loop,
                    DirectiveOp rows);

    int next_;
};

}  // namespace autoschedule_gpu::writing
