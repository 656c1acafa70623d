#include "learn/train/rank_quality.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace autoschedule_gpu {

namespace {

std::vector<size_t> order_of(std::span<const double> values) {
    std::vector<size_t> order(values.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return values[a] < values[b]; });
    return order;
}

// Counts ranks, and tells how many of the counted ones are below a rank, both in O(log n) (a
// Fenwick tree).
class RankCounts {
public:
    explicit RankCounts(size_t ranks) : tree_(ranks + 1, 0) {}

    void add(size_t rank) {
        for (size_t i = rank + 1; i < tree_.size(); i += i & -i) ++tree_[i];
    }
    size_t below(size_t rank) const {
        size_t count = 0;
        for (size_t i = rank; i > 0; i -= i & -i) count += tree_[i];
        return count;
    }

private:
    std::vector<size_t> tree_;
};

// Returns ranks from 0 on; equal values share one.
std::vector<size_t> dense_ranks(std::span<const double> values) {
    std::vector<size_t> ranks(values.size());
    size_t rank = 0;
    const std::vector<size_t> order = order_of(values);
    for (size_t i = 0; i < order.size(); ++i) {
        if (i > 0 && values[order[i]] != values[order[i - 1]]) ++rank;
        ranks[order[i]] = rank;
    }
    return ranks;
}

// Returns ranks; equal values share the mean of theirs.
std::vector<double> mean_ranks(std::span<const double> values) {
    std::vector<double> ranks(values.size());
    const std::vector<size_t> order = order_of(values);
    for (size_t first = 0; first < order.size();) {
        size_t end = first + 1;
        while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
        const double mean = static_cast<double>(first + end - 1) / 2;
        for (size_t i = first; i < end; ++i) ranks[order[i]] = mean;
        first = end;
    }
    return ranks;
}

// Returns Pearson's coefficient of the ranks, which is Spearman's even where values are equal.
std::optional<double> spearman(const Judged &judged) {
    const std::vector<double> a = mean_ranks(judged.predicted_ns);
    const std::vector<double> b = mean_ranks(judged.measured_ns);
    const double mean = static_cast<double>(a.size() - 1) / 2;
    double ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        ab += (a[i] - mean) * (b[i] - mean);
        aa += (a[i] - mean) * (a[i] - mean);
        bb += (b[i] - mean) * (b[i] - mean);
    }
    if (aa == 0 || bb == 0) return std::nullopt;
    return ab / std::sqrt(aa * bb);
}

Regrets regret(const Judged &judged) {
    const std::vector<double> &times = judged.measured_ns;
    const std::vector<size_t> order = order_of(judged.predicted_ns);
    const double best = *std::min_element(times.begin(), times.end());
    Regrets regret{};
    for (size_t k = 0; k < kRegretAt.size(); ++k) {
        if (order.size() <= kRegretAt[k]) continue;
        double found = times[order[0]];
        for (size_t i = 1; i < kRegretAt[k]; ++i) {
            found = std::min(found, times[order[i]]);
        }
        regret[k] = found / best - 1;
    }
    return regret;
}

std::vector<double> ratios_of(const Judged &judged) {
    std::vector<double> ratios(judged.predicted_ns.size());
    for (size_t i = 0; i < ratios.size(); ++i) {
        ratios[i] = judged.predicted_ns[i] / judged.measured_ns[i];
    }
    return ratios;
}

Calibration calibration(std::vector<double> ratios) {
    std::sort(ratios.begin(), ratios.end());
    const auto quantile = [&](double share) {
        const double position = share * static_cast<double>(ratios.size() - 1);
        const size_t below = static_cast<size_t>(position);
        const size_t above = std::min(below + 1, ratios.size() - 1);
        return std::lerp(ratios[below], ratios[above], position - static_cast<double>(below));
    };
    return {.low = quantile(0.05),
            .lower_quartile = quantile(0.25),
            .median = quantile(0.5),
            .upper_quartile = quantile(0.75),
            .high = quantile(0.95)};
}

}  // namespace

std::optional<double> PairCount::accuracy() const {
    if (pairs == 0) return std::nullopt;
    return ordered / static_cast<double>(pairs);
}

PairCount &PairCount::operator+=(const PairCount &other) {
    pairs += other.pairs;
    ordered += other.ordered;
    return *this;
}

size_t count_pipelines(std::span<const Judged> judged) {
    size_t count = 0;
    for (size_t i = 0; i < judged.size(); ++i) {
        count += i == 0 || judged[i].pipeline != judged[i - 1].pipeline;
    }
    return count;
}

PairCount count_pairs(std::span<const double> predicted, std::span<const double> measured,
                      double noise) {
    const std::vector<size_t> ranks = dense_ranks(predicted);
    const std::vector<size_t> by_time = order_of(measured);
    RankCounts faster(ranks.size());  // predictions of all schedules that are faster beyond noise
    size_t counted = 0;
    PairCount count;
    for (const size_t slow : by_time) {
        while (measured[by_time[counted]] * (1 + noise) < measured[slow]) {
            faster.add(ranks[by_time[counted++]]);
        }
        const size_t below = faster.below(ranks[slow]);
        const size_t equal = faster.below(ranks[slow] + 1) - below;
        count.pairs += counted;
        count.ordered += static_cast<double>(below) + static_cast<double>(equal) / 2;
    }
    return count;
}

RankQuality rank_quality(const Judged &judged) {
    return {.schedules = judged.measured_ns.size(),
            .pairs = count_pairs(judged.predicted_ns, judged.measured_ns),
            .spearman = spearman(judged),
            .regret = regret(judged),
            .calibration = calibration(ratios_of(judged))};
}

RankQuality rank_quality(std::span<const Judged> judged) {
    RankQuality total;
    std::vector<double> ratios;
    double correlations = 0, correlated = 0;
    std::array<double, kRegretAt.size()> regrets{}, choices{};
    for (const Judged &pipeline : judged) {
        const RankQuality own = rank_quality(pipeline);
        total.schedules += own.schedules;
        total.pairs += own.pairs;
        if (own.spearman) {
            correlations += *own.spearman;
            correlated += 1;
        }
        for (size_t k = 0; k < kRegretAt.size(); ++k) {
            if (!own.regret[k]) continue;
            regrets[k] += *own.regret[k];
            choices[k] += 1;
        }
        const std::vector<double> more = ratios_of(pipeline);
        ratios.insert(ratios.end(), more.begin(), more.end());
    }
    if (correlated > 0) total.spearman = correlations / correlated;
    for (size_t k = 0; k < kRegretAt.size(); ++k) {
        if (choices[k] > 0) total.regret[k] = regrets[k] / choices[k];
    }
    total.calibration = calibration(std::move(ratios));
    return total;
}

}  // namespace autoschedule_gpu
