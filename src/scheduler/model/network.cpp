#include "scheduler/model/network.h"

#include <algorithm>
#include <cmath>

#include "core/support/hash.h"
#include "core/support/random.h"
#include "scheduler/model/network_arithmetic.h"

namespace autoschedule_gpu {

namespace {

using Eigen::Index;

// clang-format off
//   name, rows, columns, head
#define AUTOSCHEDULE_GPU_PARAMETER_BLOCKS(X)                            \
    X(algorithm_weights, kAlgorithmEmbedding, kAlgorithmInputs, false)  \
    X(algorithm_bias, kAlgorithmEmbedding, 1, false)                    \
    X(schedule_weights, kScheduleEmbedding, kScheduleInputs, false)     \
    X(schedule_bias, kScheduleEmbedding, 1, false)                      \
    X(hidden_weights, kHidden, kEmbedding, false)                       \
    X(hidden_bias, kHidden, 1, false)                                   \
    X(coefficient_weights, kOutputs, kHidden, true)                     \
    X(coefficient_bias, kOutputs, 1, true)                              \
    X(log_scale, 1, 1, true)
// clang-format on

enum class Block {
#define X(name, rows, columns, head) name,
    AUTOSCHEDULE_GPU_PARAMETER_BLOCKS(X)
#undef X
};

constexpr auto kBlocks = [] {
    std::array blocks = {
#define X(name, rows, columns, head) ParameterBlock{#name, 0, size_t{rows} * size_t{columns}, head},
        AUTOSCHEDULE_GPU_PARAMETER_BLOCKS(X)
#undef X
    };
    for (size_t i = 1; i < blocks.size(); ++i) {
        blocks[i].offset = blocks[i - 1].offset + blocks[i - 1].size;
    }
    return blocks;
}();
constexpr size_t kParameters = kBlocks.back().offset + kBlocks.back().size;

// A block as a matrix of its size, of parameters or of their gradient.
template <Block block>
struct Shape;
#define X(name, rows, columns, head)                        \
    template <>                                             \
    struct Shape<Block::name> {                             \
        using Matrix = Eigen::Matrix<float, rows, columns>; \
    };
AUTOSCHEDULE_GPU_PARAMETER_BLOCKS(X)
#undef X

template <Block block>
auto view(std::span<const float> parameters) {
    return Eigen::Map<const typename Shape<block>::Matrix>(
        parameters.data() + kBlocks[static_cast<size_t>(block)].offset);
}

template <Block block>
auto view(std::span<float> parameters) {
    return Eigen::Map<typename Shape<block>::Matrix>(parameters.data() +
                                                     kBlocks[static_cast<size_t>(block)].offset);
}

template <Block weights, Block bias>
LayerParameters layer(std::span<const float> parameters) {
    return {view<weights>(parameters).data(), view<bias>(parameters).data()};
}

// Of a batch of which nothing is kept, so many rows at a time: they stay in the innermost cache.
constexpr size_t kChunk = 64;

constexpr float kMostLogScale = 20;

float scale_of(float log_scale) {
    return std::exp(std::clamp(log_scale, -kMostLogScale, kMostLogScale));
}

// Adds the gradient of a layer to that of all parameters, given what went in and the gradient by
// what came out.
template <Block weights, Block bias, typename From, typename To>
void add_gradient(const From &from, const To &d_to, std::span<float> d_parameters) {
    view<weights>(d_parameters).noalias() += d_to * from.transpose();
    view<bias>(d_parameters) += d_to.rowwise().sum();
}

// The gradient by what went into ReLU, given what came out and the gradient by it.
template <typename Columns>
void back_through_relu(const Columns &out, Columns &gradient) {
    gradient.array() *= (out.array() > 0).template cast<float>();
}

}  // namespace

Network::Network() : parameters_(kParameters) {}

std::span<const ParameterBlock> Network::blocks() {
    return kBlocks;
}

uint64_t Network::shape_hash() {
    Hasher hasher;
    hasher.add(feature_schema_hash());
#define X(name, rows, columns, head) \
    hasher.add(#name).add(static_cast<uint64_t>(rows)).add(static_cast<uint64_t>(columns));
    AUTOSCHEDULE_GPU_PARAMETER_BLOCKS(X)
#undef X
    for (const CostTermInfo &term : kCostTermList) hasher.add(term.name);
    return hasher.value();
}

Network Network::initial(uint64_t seed) {
    Network network;
    const Random random(seed);
    const std::span<float> all = network.parameters();
    // Uniform with variance 2 / inputs (He et al. 2015), which ReLU halves.
    const auto draw = [&](Block block, double inputs, double factor) {
        Random own = random.fork(static_cast<uint64_t>(block));
        const ParameterBlock &where = kBlocks[static_cast<size_t>(block)];
        const double bound = factor * std::sqrt(6 / inputs);
        for (float &w : all.subspan(where.offset, where.size)) {
            w = static_cast<float>(bound * (2 * own.unit() - 1));
        }
    };
    constexpr double kFlat = 0.05;
    draw(Block::algorithm_weights, kAlgorithmInputs, 1);
    draw(Block::schedule_weights, kScheduleInputs, 1);
    draw(Block::hidden_weights, kEmbedding, 1);
    draw(Block::coefficient_weights, kHidden, kFlat);
    auto bias = view<Block::coefficient_bias>(all);
    for (size_t i = 0; i < kCostTerms; ++i) {
        bias[static_cast<Index>(i)] = std::log(std::expm1(kCostTermList[i].initial));
    }
    constexpr float kTypicalLog = 5;
    network.normalisation_.scale.fill(1 / kTypicalLog);
    return network;
}

void Network::normalise_constant_inputs(const Normalisation &normalisation) {
    const std::span<float> all(parameters_);
    for (int i = 0; i < kInputs; ++i) {
        const auto input = static_cast<size_t>(i);
        if (normalisation_.scale[input] != 0) continue;
        normalisation_.mean[input] = normalisation.mean[input];
        normalisation_.scale[input] = normalisation.scale[input];
        if (i < kAlgorithmInputs) {
            view<Block::algorithm_weights>(all).col(i).setZero();
        } else {
            view<Block::schedule_weights>(all).col(i - kAlgorithmInputs).setZero();
        }
    }
}

void Network::activate(const NetworkInputs &inputs, size_t first, size_t count,
                       Activations &to) const {
    const auto columns = static_cast<Index>(count);
    using Inputs = Eigen::Map<const Eigen::Array<float, kInputs, 1>>;
    const Inputs mean(normalisation_.mean.data()), scale(normalisation_.scale.data());
    to.inputs.resize(kInputs, columns);
    to.embeddings.resize(kEmbedding, columns);
    to.hidden.resize(kHidden, columns);
    to.raw.resize(kOutputs, columns);
    to.coefficients.resize(kOutputs, columns);
    to.inputs =
        ((inputs.log_features().middleCols(static_cast<Index>(first), columns).array().colwise() -
          mean)
             .colwise() *
         scale)
            .max(-kMostDeviation)
            .min(kMostDeviation);

    const std::span<const float> p = parameters_;
    network_arithmetic().compute_layers(
        {.algorithm = layer<Block::algorithm_weights, Block::algorithm_bias>(p),
         .schedule = layer<Block::schedule_weights, Block::schedule_bias>(p),
         .hidden = layer<Block::hidden_weights, Block::hidden_bias>(p),
         .coefficients = layer<Block::coefficient_weights, Block::coefficient_bias>(p)},
        {.inputs = to.inputs.data(),
         .embeddings = to.embeddings.data(),
         .hidden = to.hidden.data(),
         .raw = to.raw.data(),
         .coefficients = to.coefficients.data(),
         .columns = count});
}

void Network::forward(const NetworkInputs &inputs, std::span<float> row_costs_ns,
                      Activations *keep) const {
    const float scale = scale_of(view<Block::log_scale>(std::span(parameters_))(0));
    const NetworkInputs::Columns terms = inputs.terms();
    const size_t chunk = keep ? inputs.rows() : kChunk;
    Activations scratch;
    Activations &activations = keep ? *keep : scratch;
    for (size_t first = 0; first < inputs.rows(); first += chunk) {
        const size_t count = std::min(chunk, inputs.rows() - first);
        activate(inputs, first, count, activations);
        for (size_t i = 0; i < count; ++i) {
            const float *term = terms.col(static_cast<Index>(first + i)).data();
            const float *coefficient = activations.coefficients.col(static_cast<Index>(i)).data();
            float sum = 0;
            for (size_t t = 0; t < kCostTerms; ++t) sum += coefficient[t] * term[t];
            row_costs_ns[first + i] = inputs.fixed_ns()[first + i] + scale * sum;
        }
    }
}

void Network::backward(const NetworkInputs &inputs, const Activations &activations,
                       std::span<const float> d_row_costs, std::span<float> d_parameters) const {
    const std::span<const float> p = parameters_;
    const float log_scale = view<Block::log_scale>(p)(0);
    const float scale = scale_of(log_scale);
    const NetworkInputs::Columns terms = inputs.terms();
    Activations::Columns<kCostTerms> d_raw(kCostTerms, activations.raw.cols());
    d_raw.setZero();
    double d_log_scale = 0;
    for (size_t row = 0; row < inputs.rows(); ++row) {
        const auto i = static_cast<Index>(row);
        const auto d_coefficients = scale * d_row_costs[row] * terms.col(i);
        d_log_scale += d_coefficients.dot(activations.coefficients.col(i));
        d_raw.col(i) = d_coefficients;
    }
    const auto raw = activations.raw.array();
    // The derivative of softplus is the logistic function.
    d_raw.array() *= (raw > kLeastRaw && raw < kMostRaw).cast<float>() / (1 + (-raw).exp());
    if (std::abs(log_scale) < kMostLogScale) {
        view<Block::log_scale>(d_parameters)(0) += static_cast<float>(d_log_scale);
    }

    add_gradient<Block::coefficient_weights, Block::coefficient_bias>(activations.hidden, d_raw,
                                                                      d_parameters);
    Activations::Columns<kHidden> d_hidden =
        view<Block::coefficient_weights>(p).transpose() * d_raw;
    back_through_relu(activations.hidden, d_hidden);
    add_gradient<Block::hidden_weights, Block::hidden_bias>(activations.embeddings, d_hidden,
                                                            d_parameters);
    Activations::Columns<kEmbedding> d_embeddings =
        view<Block::hidden_weights>(p).transpose() * d_hidden;
    back_through_relu(activations.embeddings, d_embeddings);
    add_gradient<Block::algorithm_weights, Block::algorithm_bias>(
        activations.inputs.topRows<kAlgorithmInputs>(), d_embeddings.topRows<kAlgorithmEmbedding>(),
        d_parameters);
    add_gradient<Block::schedule_weights, Block::schedule_bias>(
        activations.inputs.bottomRows<kScheduleInputs>(),
        d_embeddings.bottomRows<kScheduleEmbedding>(), d_parameters);
}

Normalisation fit_normalisation(std::span<const NetworkInputs *const> batches) {
    using Sums = Eigen::Array<double, kInputs, 1>;
    Sums sum = Sums::Zero(), squares = Sums::Zero();
    double rows = 0;
    for (const NetworkInputs *batch : batches) {
        sum += batch->log_features().cast<double>().rowwise().sum().array();
        rows += static_cast<double>(batch->rows());
    }
    Normalisation result;
    if (rows == 0) return result;
    const Sums mean = sum / rows;
    for (const NetworkInputs *batch : batches) {
        squares += (batch->log_features().cast<double>().array().colwise() - mean)
                       .square()
                       .rowwise()
                       .sum();
    }
    constexpr double kLeastDeviation = 1e-5;  // below, it is rounding
    for (int i = 0; i < kInputs; ++i) {
        const double deviation = std::sqrt(squares[i] / rows);
        result.mean[static_cast<size_t>(i)] = static_cast<float>(mean[i]);
        result.scale[static_cast<size_t>(i)] =
            deviation < kLeastDeviation ? 0 : static_cast<float>(1 / deviation);
    }
    return result;
}

}  // namespace autoschedule_gpu
