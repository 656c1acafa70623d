// The words for levels, in texts of nests and in reports.
#pragma once

#include <string_view>

#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// "blocks", "threads", "serial", "strided", "spread".
std::string_view to_string(Level level);

}  // namespace autoschedule_gpu
