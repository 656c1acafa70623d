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

// Returns an error if nothing at these positions, those of `name`, can be judged by.
Status check_pairs(const Dataset &dataset, const std::string &name,
                   const std::vector<size_t> &positions) {
    size_t schedules = 0;
    for (const size_t i : positions) {
        const std::vector<double> &times = dataset.pipelines[i].times_ns;
        if (count_pairs(times, times).pairs > 0) return Ok{};
        schedules += times.size();
    }
    return Error{name +
                 " has too few samples to be judged by: expected two schedules of one size "
                 "whose times differ by more than 5 %, found none among " +
                 std::to_string(schedules)};
}

std::vector<size_t> positions_of(const Dataset &dataset, const std::string &name) {
    std::vector<size_t> positions;
    for (size_t i = 0; i < dataset.pipelines.size(); ++i) {
        if (stands_for(name, dataset.pipelines[i].name)) positions.push_back(i);
    }
    return positions;
}

}  // namespace

Result<std::vector<size_t>> held_out_positions(const Dataset &dataset,
                                               std::span<const std::string> names) {
    std::set<size_t> positions;
    for (const std::string &name : names) {
        const std::vector<size_t> found = positions_of(dataset, name);
        if (found.empty()) return unknown(dataset, name);
        if (const Status enough = check_pairs(dataset, name, found); !enough) return enough.error();
        positions.insert(found.begin(), found.end());
    }
    const auto left = std::ranges::count_if(
        dataset.by_name(), [&](const auto &sizes) { return !positions.contains(sizes.front()); });
    if (!positions.empty() && left < 2) {
        return Error{"expected two pipelines or more to train on, found " + std::to_string(left) +
                     " that are not held out"};
    }
    return std::vector<size_t>(positions.begin(), positions.end());
}

Applications applications_of(const Dataset &dataset) {
    Applications applications;
    for (std::string &name : dataset.pipeline_names()) {
        if (!name.starts_with(kApplicationPrefix)) continue;
        const Status enough = check_pairs(dataset, name, positions_of(dataset, name));
        if (!enough) applications.why_not_judged.push_back(enough.error().message);
        if (enough) applications.judged.push_back(std::move(name));
    }
    return applications;
}

}  // namespace autoschedule_gpu
