#include "learn/train/predict.h"

#include <algorithm>
#include <cmath>

#include "core/support/statistics.h"

namespace autoschedule_gpu {

namespace {

float &log_scale_of(Network &network) {
    const std::span<const ParameterBlock> blocks = Network::blocks();
    const auto block = std::find_if(blocks.begin(), blocks.end(),
                                    [](const ParameterBlock &b) { return b.name == "log_scale"; });
    return network.parameters()[block->offset];
}

}  // namespace

std::vector<double> schedule_costs(std::span<const float> row_costs_ns,
                                   std::span<const size_t> row_ends) {
    std::vector<double> costs(row_ends.size(), 0.0);
    size_t row = 0;
    for (size_t i = 0; i < costs.size(); ++i) {
        for (; row < row_ends[i]; ++row) costs[i] += row_costs_ns[row];
    }
    return costs;
}

std::vector<Judged> judge(const Network &network, PipelineList pipelines, ThreadPool &pool) {
    std::vector<Judged> judged(pipelines.size());
    pool.for_each(pipelines.size(), [&](size_t i) {
        const PipelineSamples &samples = *pipelines[i];
        std::vector<float> rows(samples.inputs.rows());
        network.forward(samples.inputs, rows, nullptr);
        judged[i] = {.pipeline = samples.name,
                     .predicted_ns = schedule_costs(rows, samples.row_ends),
                     .measured_ns = samples.times_ns,
                     .size = samples.size};
    });
    return judged;
}

PairCount count_pairs(std::span<const Judged> judged) {
    PairCount count;
    for (const Judged &j : judged) count += count_pairs(j.predicted_ns, j.measured_ns);
    return count;
}

void calibrate(Network &network, PipelineList pipelines, ThreadPool &pool) {
    std::vector<double> ratios;
    for (const Judged &j : judge(network, pipelines, pool)) {
        for (size_t i = 0; i < j.measured_ns.size(); ++i) {
            ratios.push_back(std::log(j.measured_ns[i] / j.predicted_ns[i]));
        }
    }
    if (!ratios.empty()) log_scale_of(network) += static_cast<float>(median(std::move(ratios)));
}

}  // namespace autoschedule_gpu
