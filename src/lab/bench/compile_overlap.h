// Says whether schedules are compiled while others run.
#pragma once

#include <cstdint>

namespace autoschedule_gpu {

enum class CompileOverlap : uint8_t {
    alternate,  // nothing is compiled while a candidate runs: for a device that is the CPU
    overlap     // the next candidates are compiled meanwhile
};

}  // namespace autoschedule_gpu
