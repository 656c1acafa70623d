#include "learn/train/held_out.h"

#include <algorithm>
#include <set>

#include "learn/train/rank_quality.h"

namespace autoschedule_gpu {

namespace {

bool stands_for(std::string_view name, std::string_view pipeline) {
    if (!name.ends_with('*')) return name == pipeline;
    return pipeline.starts_with(name.substr(0, name.size() - 1));
}

Error unknown(const Dataset &dataset, const std::string &name) {
    constexpr size_t kMostShown = 20;
    std::string known;
    for (size_t i = 0; i < std::min(dataset.pipelines.size(), kMostShown); ++i) {
        known += (i > 0 ? ", " : "") + dataset.pipelines[i].name;
    }
    if (dataset.pipelines.size() > kMostShown) {
        known += " and " + std::to_string(dataset.pipelines.size() - kMostShown) + " more";
    }
    return Error{"the samples have no pipeline " + name + "; there are " + known};
}

}  // namespace

Result<std::vector<size_t>> held_out_positions(const Dataset &dataset,
                                               std::span<const std::string> names) {
    std::set<size_t> positions;
    for (const std::string &name : names) {
        bool found = false;
        for (size_t i = 0; i < dataset.pipelines.size(); ++i) {
            if (!stands_for(name, dataset.pipelines[i].name)) continue;
            positions.insert(i);
            found = true;
        }
        if (!found) return unknown(dataset, name);
    }
    for (const size_t i : positions) {
        const PipelineSamples &pipeline = dataset.pipelines[i];
        if (count_pairs(pipeline.times_ns, pipeline.times_ns).pairs > 0) continue;
        return Error{pipeline.name +
                     " has too few samples to be judged by: expected two schedules "
                     "whose times differ by more than 5 %, found none among " +
                     std::to_string(pipeline.schedules())};
    }
    const size_t left = dataset.pipelines.size() - positions.size();
    if (!positions.empty() && left < 2) {
        return Error{"expected two pipelines or more to train on, found " + std::to_string(left) +
                     " that are not held out"};
    }
    return std::vector<size_t>(positions.begin(), positions.end());
}

std::vector<std::string> applications_of(const Dataset &dataset) {
    std::vector<std::string> names;
    for (const PipelineSamples &pipeline : dataset.pipelines) {
        if (pipeline.name.starts_with(kApplicationPrefix)) names.push_back(pipeline.name);
    }
    return names;
}

}  // namespace autoschedule_gpu
