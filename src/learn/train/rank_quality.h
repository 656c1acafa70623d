// Measures how well predicted costs rank measured times. A search needs no more of a cost model
// than the right order of one pipeline's schedules at one size, so pairs are always of these.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace autoschedule_gpu {

// Two times count as different if the greater exceeds the other by more than this share, by which
// repeated runs of one schedule differ.
inline constexpr double kTimingNoise = 0.05;

// How many schedules a user would measure: none but the first, five as "Top 5" of Anderson et al.
// 2021 (section 6), and about as many as fit into a minute.
inline constexpr std::array<size_t, 3> kRegretAt = {1, 5, 32};

// The schedules of one pipeline at one size: the times that a model predicts, and those that were
// measured. Both lists have one length and positive values in nanoseconds.
struct Judged {
    std::string pipeline = {};
    std::vector<double> predicted_ns = {}, measured_ns = {};
    std::string size = {};  // as in PipelineSamples
};

// Returns the number of pipelines, whose sizes stand together.
size_t count_pipelines(std::span<const Judged> judged);

struct PairCount {
    size_t pairs = 0;    // pairs whose times are different
    double ordered = 0;  // those predicted in the right order; equal predictions count half

    // Returns the share of pairs in the right order; nullopt if there are no pairs.
    std::optional<double> accuracy() const;
    PairCount &operator+=(const PairCount &other);
};

// Takes O(n log n) time.
PairCount count_pairs(std::span<const double> predicted, std::span<const double> measured,
                      double noise = kTimingNoise);

// Quantiles of predicted / measured.
struct Calibration {
    double low = 0;  // a twentieth of the schedules is below
    double lower_quartile = 0, median = 0, upper_quartile = 0;
    double high = 0;  // a twentieth is above
};

using Regrets = std::array<std::optional<double>, kRegretAt.size()>;

struct RankQuality {
    size_t schedules = 0;
    PairCount pairs;
    std::optional<double> spearman;  // rank correlation; nullopt where one side is all equal
    // The fastest of the model's first k schedules / the fastest of all - 1, for k in kRegretAt;
    // nullopt where there are no more than k: whoever measures all has no choice to regret.
    Regrets regret{};
    Calibration calibration;
};

// Requires at least one schedule.
RankQuality rank_quality(const Judged &judged);

// Returns the quality over all pipelines, of which there must be one: pairs and calibration are
// over all schedules; correlation and regret are means over the pipelines and sizes that have them.
RankQuality rank_quality(std::span<const Judged> judged);

}  // namespace autoschedule_gpu
