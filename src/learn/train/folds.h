// Decides which pipelines are held out together. Whole pipelines are held out, because the
// schedules of one pipeline resemble each other: a model that has seen some of them knows the
// others. So do those of its other sizes, which are held out with it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/support/random.h"
#include "learn/train/predict.h"

namespace autoschedule_gpu {

// Deals positions 0 to pipelines - 1 out at random to `folds` folds whose sizes differ by one at
// most.
std::vector<std::vector<size_t>> random_folds(size_t pipelines, size_t folds, Random random);

// Returns one fold per pipeline where there are at most kFewPipelines, else kManyFolds.
size_t default_folds(size_t pipelines);
inline constexpr size_t kFewPipelines = 10, kManyFolds = 5;

struct Split {
    std::vector<const PipelineSamples *> training, held_out;
};

// Holds out about a seventh of the schedules, to watch training by, or more, up to a half, where
// these have few pairs of one pipeline. With fewer than four pipelines nothing is held out, because
// training could not spare it. The sizes of one pipeline stand together in `pipelines`. Those that
// are named in `seen`, which a network knows that is trained further, are held out only where the
// others don't suffice: it would look as if it were trained already.
Split random_split(PipelineList pipelines, std::span<const std::string> seen, Random random);

}  // namespace autoschedule_gpu
