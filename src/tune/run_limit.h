// How long a candidate may run before it is given up: a multiple of what the best one took, so that
// a schedule which is hopeless costs little.
#pragma once

#include <chrono>
#include <optional>

#include "measure/noise.h"

namespace autoschedule_gpu {

// Of a process that runs a candidate under that protocol. `best_ms`: of one run of the best so far;
// nothing is known without. Never more than `most`.
std::chrono::milliseconds run_limit(std::optional<double> best_ms, const NoiseProtocol &noise,
                                    std::chrono::milliseconds most);

// So many times slower a schedule may be than the best.
inline constexpr double kSlowestShare = 20;

}  // namespace autoschedule_gpu
