// The values of a decision that is made or not.
#pragma once

#include <string>

namespace autoschedule_gpu {

inline const std::string kOff = "off", kOn = "on";

}  // namespace autoschedule_gpu
