// How long a candidate may run before it is given up: a multiple of what the best one took, so that
// a schedule which is hopeless costs little.
#pragma once

#include <chrono>
#include <optional>

#include "lab/run/noise.h"

namespace autoschedule_gpu {

// Returns the time that a process gets to run a candidate under that protocol, never more than
// `most`. `best_ms` is that of one run of the best so far; without it nothing is known.
std::chrono::milliseconds run_limit(std::optional<double> best_ms, const NoiseProtocol &noise,
                                    std::chrono::milliseconds most);

// So many times slower a schedule may be than the best.
inline constexpr double kSlowestShare = 20;

}  // namespace autoschedule_gpu
