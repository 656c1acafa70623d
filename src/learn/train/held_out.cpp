#include "learn/train/held_out.h"

#include <algorithm>
#include <set>
#include <utility>

#include "learn/train/rank_quality.h"

namespace autoschedule_gpu {

namespace {

bool stands_for(std::string_view name, std::string_view pipeline) {
    if (!name.ends_with('*')) return name == pipeline;
    return pipeline.starts_with(name.substr(0, name.size() - 1));
}

Error unknown(const Dataset &dataset, const std::string &name) {
    constexpr size_t kMostShown = 20;
    const std::vector<std::string> names = dataset.pipeline_names();
    std::string known;
    for (size_t i = 0; i < std::min(names.size(), kMostShown); ++i) {
        known += (i > 0 ? ", " : "") + names[i];
    }
    if (names.size() > kMostShown) {
        known += " and " + std::to_string(names.size() - kMostShown) + " more";
    }
    return Error{"the samples have no pipeline " + name + "; there are " + known};
}

// Whether the pipeline that has these positions can be judged by: it is by all of its sizes.
Status check_pairs(const Dataset &dataset, const std::vector<size_t> &sizes) {
    size_t schedules = 0;
    for (const size_t i : sizes) {
        const std::vector<double> &times = dataset.pipelines[i].times_ns;
        if (count_pairs(times, times).pairs > 0) return Ok{};
        schedules += times.size();
    }
    return Error{dataset.pipelines[sizes.front()].name +
                 " has too few samples to be judged by: expected two schedules of one size "
                 "whose times differ by more than 5 %, found none among " +
                 std::to_string(schedules)};
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
    size_t left = 0;
    for (const std::vector<size_t> &sizes : dataset.by_name()) {
        if (!positions.contains(sizes.front())) {
            ++left;
        } else if (const Status enough = check_pairs(dataset, sizes); !enough) {
            return enough.error();
        }
    }
    if (!positions.empty() && left < 2) {
        return Error{"expected two pipelines or more to train on, found " + std::to_string(left) +
                     " that are not held out"};
    }
    return std::vector<size_t>(positions.begin(), positions.end());
}

std::vector<std::string> applications_of(const Dataset &dataset) {
    std::vector<std::string> names;
    for (std::string &name : dataset.pipeline_names()) {
        if (name.starts_with(kApplicationPrefix)) names.push_back(std::move(name));
    }
    return names;
}

}  // namespace autoschedule_gpu
