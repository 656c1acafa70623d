// What training minimises: how far predicted costs are from measured times, over a batch of
// schedules of one pipeline, with its gradient. Both losses are without units and bounded in what
// one wrong measurement can do: no gradient grows with the size of an error.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace autoschedule_gpu {

enum class Loss { throughput, pairwise, both };

// In the order of their values.
inline constexpr std::array<std::string_view, 3> kLossNames = {"l2", "pairwise", "both"};

std::optional<Loss> loss_of_name(std::string_view name);

// A batch. All lists have one length; costs and times are nanoseconds and positive.
struct LossBatch {
    std::span<const double> predicted_ns, measured_ns;
    std::span<const double> trust;  // 0 to 1: what each measurement counts
    double best_ns = 0;             // the fastest that is known of the pipeline
};

// Squared error of the throughput relative to the pipeline's best (Adams et al. 2019),
//     mean_i trust_i (best / predicted_i - best / measured_i)^2,
// which says most about the fast schedules and little about how slow the slow ones are. Beyond the
// best, where a prediction of almost nothing would be an error without bound, best / predicted
// counts by its logarithm: 1 + log(best / predicted).
//
// Adds scale * d loss / d log(predicted_i) to gradient[i], and returns the loss times `scale`.
double throughput_loss(const LossBatch &batch, double scale, std::span<double> gradient);

// Cross entropy of which of two schedules is the faster (RankNet: Burges et al. 2005), over all
// pairs of the batch:
//     mean_ij trust_i trust_j H(s(log(measured_i / measured_j)), s(log(predicted_i / predicted_j)))
// H(p, q) = -p log q - (1 - p) log(1 - q) and s(x) = 1 / (1 + exp(-x / kPairTemperature)). Times
// that are within the noise of each other ask for little, and the loss is least where predicted
// ratios are measured ratios: it ranks without losing the scale within a pipeline.
//
// The same conventions as above. Less than two schedules have no pair, and no loss.
double pairwise_loss(const LossBatch &batch, double scale, std::span<double> gradient);

inline constexpr double kPairTemperature = 0.3;

// The loss asked for; of `both`, the sum.
double loss(Loss kind, const LossBatch &batch, double scale, std::span<double> gradient);

}  // namespace autoschedule_gpu
