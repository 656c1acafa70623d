// Samples are public, as values and to the byte (autoschedule_gpu/sample.h).
#pragma once

#include "autoschedule_gpu/sample.h"
#include "core/gpu/gpu_model.h"
#include "scheduler/features/feature_list.h"

namespace autoschedule_gpu {

using api::Sample;
using api::SampleOrigin;

}  // namespace autoschedule_gpu
