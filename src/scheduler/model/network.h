// The learned cost model of Anderson 2021 (section 5.2, Appendix B): a small network predicts, from
// the features of a stage, a positive coefficient for each cost term; the terms are in
// network_terms.h, beside what is fixed (network_inputs.h).
//
//     algorithm features ─► 8, ReLU ─┐
//                                    ├─► 32, ReLU ─► a coefficient per term, softplus
//     schedule features ─► 24, ReLU ─┘
//
//     cost of a row = fixed + exp(log_scale) * sum over terms of coefficient * term      (ns)
//
// Inputs are ln(1 + feature), less the mean and times the scale of the training data. The cost of
// a kernel is the sum over its rows, that of a schedule the sum over its kernels.
//
// What a row costs depends on its inputs alone, bit for bit: not on the rows around it, how many
// there are, the thread, or the processor (network_arithmetic.h). Another build may round
// otherwise.
//
// A value; const functions may be called from any thread.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "autoschedule_gpu/weights.h"
#include "scheduler/model/network_inputs.h"

namespace autoschedule_gpu {

// Of each input, from training data: a normalised input is (ln(1 + feature) - mean) * scale, at
// most kMostDeviation from 0, so that what was never seen counts as the last that was.
struct Normalisation {
    std::array<float, kInputs> mean{};
    std::array<float, kInputs> scale{};
};
inline constexpr float kMostDeviation = 8;

// Mean and 1 / standard deviation over all rows of all batches; scale 0 for an input that is the
// same everywhere: it says nothing. Without rows: mean 0 and scale 0.
Normalisation fit_normalisation(std::span<const NetworkInputs *const> batches);

// A matrix or vector of learned numbers. `head`: of the last layer and the scale, which are all
// that is trained to adapt weights to another device.
struct ParameterBlock {
    std::string_view name;
    size_t offset, size;
    bool head;
};

// What a forward pass leaves for the backward pass; columns are rows of the batch.
struct Activations {
    template <int height>
    using Columns = Eigen::Matrix<float, height, Eigen::Dynamic>;
    Columns<kInputs> inputs;  // normalised
    Columns<kEmbedding> embeddings;
    Columns<kHidden> hidden;
    Columns<kCostTerms> raw, coefficients;  // before and after softplus
};

class Network {
public:
    // Weights drawn at random and small in the last layer, so that coefficients begin near those of
    // the list of terms. Equal seeds give equal networks. The normalisation does nothing but scale
    // logarithms to about 1, until training data sets it.
    static Network initial(uint64_t seed);

    // All learned numbers, in the order of blocks(); matrices by columns.
    std::span<float> parameters() { return parameters_; }
    std::span<const float> parameters() const { return parameters_; }
    static std::span<const ParameterBlock> blocks();

    const Normalisation &normalisation() const { return normalisation_; }
    void set_normalisation(const Normalisation &normalisation) { normalisation_ = normalisation; }
    // Takes over that of the inputs whose scale is 0, as they were the same in all training data,
    // with weights of 0: for inputs that don't differ from the mean, costs are what they were.
    void normalise_constant_inputs(const Normalisation &normalisation);

    // The cost of each row in nanoseconds, always positive; finite if no parameter's and no scale's
    // magnitude is above kMostParameter. row_costs_ns.size() == inputs.rows(). `keep` may be null.
    void forward(const NetworkInputs &inputs, std::span<float> row_costs_ns,
                 Activations *keep) const;

    // Adds the gradient of a loss to d_parameters, given that by the row costs and what the forward
    // pass of the same inputs has kept.
    void backward(const NetworkInputs &inputs, const Activations &activations,
                  std::span<const float> d_row_costs, std::span<float> d_parameters) const;

    // Names and shapes of all inputs, layers and terms: what parameters of a file were made for.
    static uint64_t shape_hash();

    static constexpr float kMostParameter = api::kMostParameter;

private:
    Network();

    // Activations of `count` rows from `first` on.
    void activate(const NetworkInputs &inputs, size_t first, size_t count, Activations &to) const;

    std::vector<float> parameters_;
    Normalisation normalisation_;
};

}  // namespace autoschedule_gpu
