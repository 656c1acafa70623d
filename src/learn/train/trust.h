// How far each measurement is believed: labels may be wrong, by a run that was disturbed or a
// schedule that was mistaken for another, and a wrong label lies far from what a model learns from
// all the others.
#pragma once

#include <vector>

#include "learn/train/rank_quality.h"

namespace autoschedule_gpu {

// One list per pipeline, from 0 to 1 for each schedule:
//     min(1, (kTrusted * sigma / |r|)^2),
// r the logarithm of measured / predicted less its median over the pipeline, sigma its standard
// deviation by the median of |r| over all pipelines (iteratively reweighted: Huber 1981, 7.8; the
// weight falls faster, so that gross errors count as nothing).
std::vector<std::vector<double>> trust_of(const std::vector<Judged> &judged);

inline constexpr double kTrusted = 3;

}  // namespace autoschedule_gpu
