#include "learn/train/folds.h"

#include <algorithm>
#include <iterator>
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

namespace {

// A pipeline at all of its sizes.
struct AllSizes {
    std::vector<const PipelineSamples *> sizes = {};
    size_t schedules = 0, pairs = 0;
};

std::vector<AllSizes> by_name(PipelineList pipelines) {
    std::vector<AllSizes> all;
    for (const PipelineSamples *one : pipelines) {
        if (all.empty() || all.back().sizes.front()->name != one->name) all.emplace_back();
        const size_t own = one->schedules();
        all.back().sizes.push_back(one);
        all.back().schedules += own;
        all.back().pairs += own * (own - 1) / 2;
    }
    return all;
}

}  // namespace

Split random_split(PipelineList pipelines, std::span<const std::string> seen, Random random) {
    constexpr size_t kFewest = 4, kOneOf = 7, kFewestPairs = 40;
    std::vector<AllSizes> order = by_name(pipelines);
    if (order.size() < kFewest) {
        return {.training = {pipelines.begin(), pipelines.end()}, .held_out = {}};
    }
    size_t schedules = 0;
    for (const AllSizes &pipeline : order) schedules += pipeline.schedules;
    shuffle(order, random);
    std::ranges::stable_partition(order, [&](const AllSizes &pipeline) {
        return std::ranges::find(seen, pipeline.sizes.front()->name) == seen.end();
    });
    Split split;
    size_t held_out = 0, pairs = 0;
    for (const AllSizes &pipeline : order) {
        const size_t after = held_out + pipeline.schedules;
        const bool more = after * (pairs < kFewestPairs ? 2 : kOneOf) <= schedules;
        if (more) held_out = after;
        if (more) pairs += pipeline.pairs;
        std::ranges::copy(pipeline.sizes,
                          std::back_inserter(more ? split.held_out : split.training));
    }
    return split;
}

}  // namespace autoschedule_gpu
