// Funcs that read no memory, nor does what they read: constants, coordinates that are clamped,
// conditions that a point lies within an image. Front ends that write a Func per operation have
// dozens. Storing such values costs what computing them does.
#pragma once

#include <vector>

#include "core/dag/dag.h"

namespace autoschedule_gpu {

// By FuncId: whether a point takes few and fast operations with all that it reads inlined.
std::vector<bool> cheap_from_coordinates(const Dag &dag);

}  // namespace autoschedule_gpu
