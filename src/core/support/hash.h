// The hash of everything (autoschedule_gpu/hash.h): it is public, for files hold its values.
#pragma once

#include "autoschedule_gpu/hash.h"

namespace autoschedule_gpu {

using api::Hasher;
using api::mix64;

}  // namespace autoschedule_gpu
