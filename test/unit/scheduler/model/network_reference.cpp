#include "unit/scheduler/model/network_reference.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace autoschedule_gpu::example {

namespace {

const ParameterBlock &block(std::string_view name) {
    for (const ParameterBlock &b : Network::blocks()) {
        if (b.name == name) return b;
    }
    throw std::logic_error("no such block");
}

void rectify(std::vector<double> &values) {
    for (double &v : values) v = std::max(0.0, v);
}

}  // namespace

NetworkReference::NetworkReference(const Network &network)
    : parameters(network.parameters().begin(), network.parameters().end()),
      normalisation_(network.normalisation()) {}

std::vector<double> NetworkReference::layer(const char *weights, const char *bias,
                                            const std::vector<double> &inputs) const {
    const ParameterBlock &w = block(weights), &b = block(bias);
    std::vector<double> outputs(b.size);
    for (size_t i = 0; i < b.size; ++i) {
        outputs[i] = parameters[b.offset + i];
        for (size_t j = 0; j < inputs.size(); ++j) {
            outputs[i] += parameters[w.offset + j * b.size + i] * inputs[j];
        }
    }
    return outputs;
}

std::vector<double> NetworkReference::coefficients(const FeatureTable &table, size_t row) const {
    const StageFeatures &stage = table.stages[row];
    std::vector<double> features;
    for (size_t i = 0; i < algorithm_feature_list().size(); ++i) {
        features.push_back(algorithm_feature(stage.algorithm, i));
    }
    const auto algorithm_inputs = static_cast<std::ptrdiff_t>(features.size());
    for (size_t i = 0; i < stage_feature_list().size(); ++i) {
        features.push_back(stage_feature(stage, i));
    }
    for (size_t i = 0; i < kernel_feature_list().size(); ++i) {
        features.push_back(kernel_feature(table.kernel, i));
    }
    for (size_t i = 0; i < features.size(); ++i) {
        const double normalised =
            (std::log1p(features[i]) - normalisation_.mean[i]) * normalisation_.scale[i];
        features[i] = std::clamp<double>(normalised, -kMostDeviation, kMostDeviation);
    }
    std::vector<double> embedding = layer("algorithm_weights", "algorithm_bias",
                                          {features.begin(), features.begin() + algorithm_inputs});
    const std::vector<double> schedule = layer(
        "schedule_weights", "schedule_bias", {features.begin() + algorithm_inputs, features.end()});
    embedding.insert(embedding.end(), schedule.begin(), schedule.end());
    rectify(embedding);
    std::vector<double> hidden = layer("hidden_weights", "hidden_bias", embedding);
    rectify(hidden);
    std::vector<double> result = layer("coefficient_weights", "coefficient_bias", hidden);
    for (double &value : result) value = std::log1p(std::exp(value));
    return result;
}

std::vector<double> NetworkReference::row_costs(const GpuModel &gpu,
                                                const FeatureTable &table) const {
    const PeakRates rates(gpu);
    const CostTermsOfKernel terms(rates, table);
    const double scale = std::exp(parameters[block("log_scale").offset]);
    std::vector<double> costs;
    for (size_t row = 0; row < table.stages.size(); ++row) {
        const bool is_launched = table.kernel.num_blocks > 0;
        const CostTerms of_row = is_launched ? terms.of_row(row) : CostTerms{};
        const double values[] = {
#define X(name, initial, meaning) of_row.name,
            AUTOSCHEDULE_GPU_COST_TERMS(X)
#undef X
        };
        const std::vector<double> by = coefficients(table, row);
        double sum = 0;
        for (size_t i = 0; i < by.size(); ++i) sum += by[i] * values[i];
        costs.push_back(kLeastRowNs + scale * sum);
    }
    return costs;
}

}  // namespace autoschedule_gpu::example
