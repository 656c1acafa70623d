#include "learn/train/provenance.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <sstream>

namespace autoschedule_gpu {

namespace {

constexpr std::string_view kUnknown = "-";

std::string accuracy_text(std::optional<double> accuracy) {
    if (!accuracy) return std::string(kUnknown);
    char text[16];
    std::snprintf(text, sizeof text, "%.4f", *accuracy);
    return text;
}

}  // namespace

std::string trained_from_text(const Dataset &dataset, std::span<const Judged> held_out,
                              std::span<const std::string> never_seen,
                              std::span<const TrainedPipeline> before) {
    size_t pipelines = 0, schedules = 0;
    std::string lines;
    for (const TrainedPipeline &pipeline : before) {
        lines += accuracy_text({}) + " " + pipeline.name + "\n";
    }
    for (const std::vector<size_t> &sizes : dataset.by_name()) {
        const std::string &name = dataset.pipelines[sizes.front()].name;
        if (std::ranges::find(never_seen, name) != never_seen.end()) continue;
        ++pipelines;
        for (const size_t i : sizes) schedules += dataset.pipelines[i].schedules();
        if (std::ranges::find(before, name, &TrainedPipeline::name) != before.end()) continue;
        PairCount pairs;
        for (const Judged &judged : held_out) {
            if (judged.pipeline != name) continue;
            pairs += count_pairs(judged.predicted_ns, judged.measured_ns);
        }
        lines += accuracy_text(pairs.accuracy()) + " " + name + "\n";
    }
    const std::string earlier =
        before.empty() ? "" : ", after " + std::to_string(before.size()) + " of earlier weights";
    return std::to_string(schedules) + " schedules of " + std::to_string(pipelines) + " pipelines" +
           earlier + ", each with its pairwise accuracy when it was held out:\n" + lines;
}

std::vector<TrainedPipeline> trained_pipelines(std::string_view trained_from) {
    std::vector<TrainedPipeline> pipelines;
    std::istringstream lines{std::string(trained_from)};
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        const size_t space = line.find(' ');
        if (space == std::string::npos) return {};
        TrainedPipeline pipeline{.name = line.substr(space + 1), .held_out_accuracy = {}};
        if (line.substr(0, space) != kUnknown) {
            double accuracy = 0;
            const auto read = std::from_chars(line.data(), line.data() + space, accuracy);
            if (read.ec != std::errc() || read.ptr != line.data() + space) return {};
            pipeline.held_out_accuracy = accuracy;
        }
        pipelines.push_back(std::move(pipeline));
    }
    return pipelines;
}

}  // namespace autoschedule_gpu
