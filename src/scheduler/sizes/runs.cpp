#include "scheduler/sizes/runs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace autoschedule_gpu {
namespace {

// Of extents, as a logarithm: the product may be beyond any integer.
double points(const std::vector<int64_t> &extents) {
    double result = 0;
    for (const int64_t extent : extents) result += std::log(static_cast<double>(extent));
    return result;
}

// Sizes, the greatest first.
std::vector<size_t> by_points(const std::vector<std::vector<int64_t>> &extents) {
    std::vector<size_t> order(extents.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(
        order, [&](size_t a, size_t b) { return points(extents[a]) > points(extents[b]); });
    return order;
}

// Halfway between two extents, as a factor; above `less`, and not above `more`.
int64_t between(int64_t less, int64_t more) {
    const double middle = std::sqrt(static_cast<double>(less) * static_cast<double>(more));
    return std::clamp(static_cast<int64_t>(middle) + 1, less + 1, more);
}

// What the schedule of a run is regretted at its sizes in all; nothing if it is not known at some,
// or is more at one than may be.
std::optional<double> regret(const SizeCosts &costs, const Run &run, double most) {
    double sum = 0;
    for (const size_t size : run.sizes) {
        const std::optional<double> &cost = costs.cost[run.made_for][size];
        if (!cost) return std::nullopt;
        const double here = *cost / *costs.cost[size][size] - 1;
        if (here > most) return std::nullopt;
        sum += costs.weights[size] * here;
    }
    return sum;
}

// With the schedule that is regretted least.
struct RatedRun {
    Run run;
    double regret;
};
std::optional<RatedRun> best_run(const SizeCosts &costs, std::vector<size_t> sizes, double most) {
    std::optional<RatedRun> best;
    for (const size_t made_for : sizes) {
        Run run{made_for, sizes};
        const std::optional<double> sum = regret(costs, run, most);
        if (sum && (!best || *sum < best->regret)) best = {std::move(run), *sum};
    }
    return best;
}

class Partition {
public:
    Partition(const SizeCosts &costs, double most_regret)
        : costs_(costs), order_(by_points(costs.extents)), most_regret_(most_regret) {}

    std::optional<std::vector<Run>> fewest() const {
        const size_t sizes = order_.size();
        std::vector<std::optional<Way>> ways(sizes + 1);  // from each position to the end
        ways[sizes] = Way{};
        for (size_t begin = sizes; begin-- > 0;) {
            for (size_t end = begin + 1; end <= sizes; ++end) {
                std::optional<RatedRun> rated = run_of(begin, end);
                if (!rated || !ways[end]) continue;
                Way way{ways[end]->runs + 1, ways[end]->regret + rated->regret,
                        std::move(rated->run)};
                if (!ways[begin] || way.is_better_than(*ways[begin])) ways[begin] = std::move(way);
            }
        }
        if (!ways[0]) return std::nullopt;
        std::vector<Run> runs;
        for (size_t at = 0; at < sizes; at += runs.back().sizes.size()) {
            runs.push_back(ways[at]->first);
        }
        return runs;
    }

private:
    struct Way {
        size_t runs = 0;
        double regret = 0;
        Run first = {};

        bool is_better_than(const Way &other) const {
            return runs != other.runs ? runs < other.runs : regret < other.regret;
        }
    };

    std::optional<RatedRun> run_of(size_t begin, size_t end) const {
        const auto at = [&](size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
        std::optional<RatedRun> best = best_run(costs_, {at(begin), at(end)}, most_regret_);
        if (!best || !tell_apart(best->run, end)) return std::nullopt;
        return best;
    }

    // Sets Run::least: for each later size the dimension that differs most. False where one is in
    // no dimension smaller than all of the run.
    bool tell_apart(Run &run, size_t end) const {
        run.least.assign(costs_.extents.front().size(), 0);
        for (size_t i = end; i < order_.size(); ++i) {
            const std::vector<int64_t> &other = costs_.extents[order_[i]];
            double most = 1;
            size_t dim = 0;
            for (size_t d = 0; d < other.size(); ++d) {
                if (d == costs_.first && most > 1) break;
                const double ratio =
                    static_cast<double>(least_of(run, d)) / static_cast<double>(other[d]);
                if (ratio <= most) continue;
                most = ratio;
                dim = d;
            }
            if (most == 1) return false;
            run.least[dim] = std::max(run.least[dim], between(other[dim], least_of(run, dim)));
        }
        return true;
    }

    int64_t least_of(const Run &run, size_t dim) const {
        int64_t least = std::numeric_limits<int64_t>::max();
        for (const size_t size : run.sizes) least = std::min(least, costs_.extents[size][dim]);
        return least;
    }

    const SizeCosts &costs_;
    const std::vector<size_t> order_;
    const double most_regret_;
};

}  // namespace

std::optional<std::vector<Run>> fewest_runs(const SizeCosts &costs, double most_regret) {
    return Partition(costs, most_regret).fewest();
}

std::optional<Run> one_run(const SizeCosts &costs) {
    std::vector<size_t> all(costs.cost.size());
    std::iota(all.begin(), all.end(), size_t{0});
    std::optional<RatedRun> best =
        best_run(costs, std::move(all), std::numeric_limits<double>::infinity());
    return best ? std::optional(std::move(best->run)) : std::nullopt;
}

}  // namespace autoschedule_gpu
