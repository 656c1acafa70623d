// What training minimises: how far predicted costs are from measured times, over a batch of
// schedules of one pipeline, and the gradient of that. Both losses have no unit, and one wrong
// measurement can do only so much: no gradient grows with the size of an error.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace autoschedule_gpu {

enum class Loss { throughput, pairwise, both };

// Indexed by Loss.
inline constexpr std::array<std::string_view, 3> kLossNames = {"l2", "pairwise", "both"};

// Returns nullopt if there is no loss of that name.
std::optional<Loss> loss_of_name(std::string_view name);

// A batch of schedules of one pipeline. All lists have one length; costs and times are positive, in
// nanoseconds.
struct LossBatch {
    std::span<const double> predicted_ns, measured_ns;
    std::span<const double> trust;  // 0 to 1: the weight of each measurement
    double best_ns = 0;             // the fastest time known of the pipeline
};

// Squared error of the throughput relative to the pipeline's best (Adams et al. 2019),
//     mean_i trust_i (best / predicted_i - best / measured_i)^2,
// which says most about the fast schedules and little about how slow the slow ones are. Where a
// prediction is below the best, `best / predicted` is replaced by 1 + log(best / predicted),
// because a prediction of almost nothing would otherwise be an error without bound.
//
// Adds scale * d loss / d log(predicted_i) to gradient[i], and returns the loss times `scale`.
double throughput_loss(const LossBatch &batch, double scale, std::span<double> gradient);

// Cross entropy of which of two schedules is the faster (RankNet: Burges et al. 2005), over all
// pairs of the batch:
//     mean_ij trust_i trust_j H(s(log(measured_i / measured_j)), s(log(predicted_i / predicted_j)))
// H(p, q) = -p log q - (1 - p) log(1 - q) and s(x) = 1 / (1 + exp(-x / kPairTemperature)). Times
// that are within the noise of each other weigh little. The loss is least where predicted ratios
// equal measured ratios, so it ranks without losing the scale within a pipeline.
//
// The gradient and the result follow the conventions of throughput_loss. Fewer than two schedules
// have no pair, and the loss 0.
double pairwise_loss(const LossBatch &batch, double scale, std::span<double> gradient);

inline constexpr double kPairTemperature = 0.3;

// Returns the loss of that kind; for `both`, the sum of the two.
double loss(Loss kind, const LossBatch &batch, double scale, std::span<double> gradient);

}  // namespace autoschedule_gpu
