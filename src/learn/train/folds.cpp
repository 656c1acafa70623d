#include "learn/train/folds.h"

#include <algorithm>
#include <numeric>

#include "learn/train/shuffle.h"

namespace autoschedule_gpu {

std::vector<std::vector<size_t>> random_folds(size_t pipelines, size_t folds, Random random) {
    std::vector<size_t> order(pipelines);
    std::iota(order.begin(), order.end(), size_t{0});
    shuffle(order, random);
    std::vector<std::vector<size_t>> dealt(folds);
    for (size_t i = 0; i < pipelines; ++i) dealt[i % folds].push_back(order[i]);
    for (std::vector<size_t> &fold : dealt) std::sort(fold.begin(), fold.end());
    return dealt;
}

size_t default_folds(size_t pipelines) {
    return pipelines <= kFewPipelines ? pipelines : kManyFolds;
}

Split random_split(PipelineList pipelines, Random random) {
    constexpr size_t kFewest = 4, kOneOf = 7, kFewestPairs = 40;
    std::vector<const PipelineSamples *> order(pipelines.begin(), pipelines.end());
    if (order.size() < kFewest) return {.training = order, .held_out = {}};
    size_t schedules = 0;
    for (const PipelineSamples *pipeline : pipelines) schedules += pipeline->schedules();
    shuffle(order, random);
    Split split;
    size_t held_out = 0, pairs = 0;
    for (const PipelineSamples *pipeline : order) {
        const size_t own = pipeline->schedules(), after = held_out + own;
        const bool more = after * (pairs < kFewestPairs ? 2 : kOneOf) <= schedules;
        if (more) held_out = after;
        if (more) pairs += own * (own - 1) / 2;
        (more ? split.held_out : split.training).push_back(pipeline);
    }
    return split;
}

}  // namespace autoschedule_gpu
