// How well predicted costs rank measured times. A search needs no more of a cost model than that it
// puts the schedules of one pipeline into the right order, so pairs are of one pipeline, always.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace autoschedule_gpu {

// Two times count as different if the greater is more than this share above the other: what
// repeated runs of one schedule differ by.
inline constexpr double kTimingNoise = 0.05;

// How many schedules a user would measure: none but the first, as "Top 5" of Anderson 2021
// (section 6), and about as many as fit into a minute.
inline constexpr std::array<size_t, 3> kRegretAt = {1, 5, 32};

// The schedules of one pipeline: what a model says of them, and what was measured. Both in
// nanoseconds, positive, of one length.
struct Judged {
    std::string pipeline = {};
    std::vector<double> predicted_ns = {}, measured_ns = {};
};

struct PairCount {
    size_t pairs = 0;    // whose times are different
    double ordered = 0;  // of these, predicted in the right order; equal predictions count half

    // Nothing without pairs.
    std::optional<double> accuracy() const;
    PairCount &operator+=(const PairCount &other);
};

// In O(n log n).
PairCount count_pairs(std::span<const double> predicted, std::span<const double> measured,
                      double noise = kTimingNoise);

// Quantiles of predicted / measured.
struct Calibration {
    double low = 0;  // a twentieth of the schedules is below
    double lower_quartile = 0, median = 0, upper_quartile = 0;
    double high = 0;  // a twentieth is above
};

struct RankQuality {
    size_t schedules = 0;
    PairCount pairs;
    std::optional<double> spearman;  // rank correlation; nothing where one side is all equal
    // The fastest of the model's first k / the fastest of all - 1, for k in kRegretAt.
    std::array<double, kRegretAt.size()> regret{};
    Calibration calibration;
};

// There must be a schedule.
RankQuality rank_quality(const Judged &judged);

// Of all pipelines together: pairs and calibration over all schedules; correlation and regret are
// the means over the pipelines that have them. There must be a pipeline.
RankQuality rank_quality(std::span<const Judged> judged);

}  // namespace autoschedule_gpu
