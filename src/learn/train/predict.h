// What a network says of measured schedules.
#pragma once

#include <span>
#include <vector>

#include "core/support/parallel.h"
#include "learn/train/dataset.h"
#include "learn/train/rank_quality.h"
#include "scheduler/model/network.h"

namespace autoschedule_gpu {

using PipelineList = std::span<const PipelineSamples *const>;

// The cost of each schedule in nanoseconds: the sum over its rows. `row_ends` as in
// PipelineSamples.
std::vector<double> schedule_costs(std::span<const float> row_costs_ns,
                                   std::span<const size_t> row_ends);

// One entry per pipeline, in their order.
std::vector<Judged> judge(const Network &network, PipelineList pipelines, ThreadPool &pool);

// Pairs of all of them.
PairCount count_pairs(std::span<const Judged> judged);

// Scales the network so that the median of measured / predicted over all schedules is 1.
void calibrate(Network &network, PipelineList pipelines, ThreadPool &pool);

}  // namespace autoschedule_gpu
