// How far each measurement is believed. A label may be wrong because a run was disturbed or a
// schedule was mistaken for another; such a label lies far from what a model learns from all the
// others.
#pragma once

#include <vector>

#include "learn/train/rank_quality.h"

namespace autoschedule_gpu {

// Returns one list per pipeline, with a weight from 0 to 1 for each schedule:
//     min(1, (kTrusted * sigma / |r|)^2),
// where r is the logarithm of measured / predicted less its median over the pipeline, and sigma is
// the standard deviation of r, estimated by the median of |r| over all pipelines. This is an
// iteratively reweighted fit (Huber 1981, 7.8) whose weights fall faster, so that gross errors
// count as nothing.
std::vector<std::vector<double>> trust_of(const std::vector<Judged> &judged);

inline constexpr double kTrusted = 3;

}  // namespace autoschedule_gpu
