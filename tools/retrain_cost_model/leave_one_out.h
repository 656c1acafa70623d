// retrain_cost_model --leave-one-out: weights for each application, from all other pipelines.
#pragma once

#include "retrain_cost_model/training_call.h"

namespace autoschedule_gpu {

// Trains without one application after the other, and judges each network on the application that
// it has not seen. Each file is written when it is trained, so that those that are there are whole
// wherever this ends. Returns the exit status.
int leave_one_out(TrainingCall &call);

}  // namespace autoschedule_gpu
