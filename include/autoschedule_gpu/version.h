// The version of these headers. A library that users add is built apart from the autoscheduler and
// shares its types, so it says which version it was built against, and is refused with a message
// where that is another (register.h). Needs C++17 and the standard library.
#pragma once

#include <cstdint>

namespace autoschedule_gpu::api {

// Raised by every change of these headers after which a library must be written or built anew.
inline constexpr int32_t kApiVersion = 2;

}  // namespace autoschedule_gpu::api
