// What a run has measured, as training takes it.
#pragma once

#include "core/support/error.h"
#include "learn/train/dataset.h"
#include "tune/session/session.h"

namespace autoschedule_gpu {

// All measured trials whose features are known, as one pipeline at one size: whoever has drawn
// them, they are to be told apart.
Result<Dataset> measured_dataset(const Session &session);

}  // namespace autoschedule_gpu
