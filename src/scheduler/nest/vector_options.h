// Kinds of vectors that a kernel has where it can: each is a decision of that name, and all are
// given up together where an API can't have what they need.
#pragma once

#include <array>
#include <string_view>

#include "scheduler/nest/channel_vectors.h"
#include "scheduler/nest/nest.h"
#include "scheduler/nest/pixel_vectors.h"
#include "scheduler/nest/step_vectors.h"
#include "scheduler/nest/vectors.h"

namespace autoschedule_gpu {

struct VectorOption {
    std::string_view name;  // autoschedule_gpu/decision.h
    bool Kernel::*is_on;
    bool (*may_have)(const Dag &, const Kernel &);
};
inline constexpr std::array kVectorOptions = {
    VectorOption{"vectors", &Kernel::vectors, may_have_vectors},
    VectorOption{"step_vectors", &Kernel::step_vectors, may_have_step_vectors},
    VectorOption{"channel_vectors", &Kernel::channel_vectors, may_have_channel_vectors},
    VectorOption{"pixel_vectors", &Kernel::pixel_vectors, may_have_pixel_vectors}};

}  // namespace autoschedule_gpu
