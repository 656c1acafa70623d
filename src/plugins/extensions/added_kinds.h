// Kinds of decisions of users' libraries as kinds of the scheduler: a kernel is shown as plain
// data.
#pragma once

#include <span>

#include "core/extensions/extensions.h"
#include "core/gpu/gpu_model.h"
#include "scheduler/schedule/stage_kind.h"

namespace autoschedule_gpu {

// `gpu`: the device of the run.
StageKinds added_kinds(std::span<const Extension> extensions, const GpuModel &gpu);

}  // namespace autoschedule_gpu
