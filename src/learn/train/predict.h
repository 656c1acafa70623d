// Judges measured schedules by a network.
#pragma once

#include <span>
#include <vector>

#include "core/support/parallel.h"
#include "learn/train/dataset.h"
#include "learn/train/rank_quality.h"
#include "scheduler/model/network.h"

namespace autoschedule_gpu {

using PipelineList = std::span<const PipelineSamples *const>;

// Returns the cost of each schedule in nanoseconds: the sum over its rows. `row_ends` is as in
// PipelineSamples.
std::vector<double> schedule_costs(std::span<const float> row_costs_ns,
                                   std::span<const size_t> row_ends);

// Returns one entry per pipeline, in the same order.
std::vector<Judged> judge(const Network &network, PipelineList pipelines, ThreadPool &pool);

// Returns the sum of the counts of all pipelines; pairs are within one pipeline at one
// size.
PairCount count_pairs(std::span<const Judged> judged);

// Scales the network so that the median of measured / predicted over all schedules is 1.
void calibrate(Network &network, PipelineList pipelines, ThreadPool &pool);

}  // namespace autoschedule_gpu
