#include "tune/contest/standings.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "lab/verdict/significance.h"

namespace autoschedule_gpu {
namespace {

constexpr double kConfidence = 0.95;

template <typename Value>
std::vector<Value> distinct(const std::vector<ContestRun> &runs, Value ContestRun::*member) {
    std::vector<Value> values;
    for (const ContestRun &run : runs) {
        if (std::ranges::find(values, run.*member) == values.end()) values.push_back(run.*member);
    }
    return values;
}

double place(const CoursePoint &point, CourseAxis axis) {
    return axis == CourseAxis::trials ? point.trials : point.seconds;
}

const ContestRun *find(const std::vector<ContestRun> &runs, const std::string &app,
                       const std::string &strategy, uint64_t seed) {
    const auto found = std::ranges::find_if(runs, [&](const ContestRun &run) {
        return run.app == app && run.strategy == strategy && run.seed == seed;
    });
    return found == runs.end() ? nullptr : &*found;
}

// The logarithm of the gain; nothing where there is none.
std::optional<double> log_gain(const std::vector<ContestRun> &runs, const std::string &app,
                               const std::string &strategy, uint64_t seed) {
    const ContestRun *run = find(runs, app, strategy, seed);
    if (run == nullptr || !run->gain()) return std::nullopt;
    return std::log(*run->gain());
}

bool has_gain(const std::vector<ContestRun> &runs, const std::string &app,
              const std::string &strategy) {
    return std::ranges::any_of(seeds_of(runs, app, strategy),
                               [](const ContestRun *run) { return run->gain().has_value(); });
}

// "top5 has no gain on harris", of the first that lacks one under that seed; empty if none does.
std::string lack_of_seed(const std::vector<ContestRun> &runs, const std::vector<std::string> &apps,
                         uint64_t seed) {
    for (const std::string &app : apps) {
        for (const std::string &strategy : strategies_of(runs)) {
            if (!log_gain(runs, app, strategy, seed)) return strategy + " has no gain on " + app;
        }
    }
    return "";
}

// Pipelines on which every strategy has a gain under some seed.
std::vector<std::string> common_apps(const std::vector<ContestRun> &runs) {
    std::vector<std::string> apps = apps_of(runs);
    std::erase_if(apps, [&](const std::string &app) {
        return !std::ranges::all_of(strategies_of(runs), [&](const std::string &strategy) {
            return has_gain(runs, app, strategy);
        });
    });
    return apps;
}

// Seeds under which every strategy has a gain on every one of the pipelines.
std::vector<uint64_t> common_seeds(const std::vector<ContestRun> &runs,
                                   const std::vector<std::string> &apps) {
    std::vector<uint64_t> seeds = distinct(runs, &ContestRun::seed);
    std::erase_if(seeds, [&](uint64_t seed) { return !lack_of_seed(runs, apps, seed).empty(); });
    return seeds;
}

// Mean and variance of the mean, over the seeds.
struct Stratum {
    double mean = 0, variance = 0;
};

Stratum stratum_of(const std::vector<double> &values) {
    const double n = static_cast<double>(values.size());
    Stratum stratum{.mean = std::reduce(values.begin(), values.end()) / n};
    if (values.size() < 2) return stratum;
    for (const double value : values) {
        stratum.variance += (value - stratum.mean) * (value - stratum.mean) / (n - 1) / n;
    }
    return stratum;
}

// Of the mean over strata that have so many values each, as a factor on either side.
ConfidenceInterval stratified_interval(const std::vector<Stratum> &strata, size_t values,
                                       double mean) {
    if (values < 2) return {};
    double variance = 0, squares = 0;
    for (const Stratum &stratum : strata) {
        variance += stratum.variance;
        squares += stratum.variance * stratum.variance / static_cast<double>(values - 1);
    }
    double reach = 0;
    if (variance > 0) {
        const double error = std::sqrt(variance) / static_cast<double>(strata.size());
        reach = error * standard_errors(kConfidence, variance * variance / squares);
    }
    return {std::exp(mean - reach), std::exp(mean + reach), kConfidence};
}

}  // namespace

double geometric_mean(const std::vector<double> &values) {
    double logarithms = 0;
    for (const double value : values) logarithms += std::log(value);
    return std::exp(logarithms / static_cast<double>(values.size()));
}

std::vector<std::string> apps_of(const std::vector<ContestRun> &runs) {
    return distinct(runs, &ContestRun::app);
}

std::vector<std::string> strategies_of(const std::vector<ContestRun> &runs) {
    return distinct(runs, &ContestRun::strategy);
}

Seeds seeds_of(const std::vector<ContestRun> &runs, const std::string &app,
               const std::string &strategy) {
    Seeds seeds;
    for (const ContestRun &run : runs) {
        if (run.app == app && run.strategy == strategy) seeds.push_back(&run);
    }
    return seeds;
}

std::optional<double> best_at(const ContestRun &run, CourseAxis axis, double x) {
    std::optional<double> best;
    for (const CoursePoint &point : run.course) {
        if (place(point, axis) > x) break;
        best = point.best_ms;
    }
    return best;
}

std::vector<BandPoint> band_of(const Seeds &seeds, CourseAxis axis) {
    std::set<double> places;
    for (const ContestRun *run : seeds) {
        for (const CoursePoint &point : run->course) places.insert(place(point, axis));
    }
    if (places.contains(0)) return {};
    std::vector<BandPoint> band;
    for (const double x : places) {
        std::vector<double> best_ms;
        for (const ContestRun *run : seeds) {
            if (const auto best = best_at(*run, axis, x)) best_ms.push_back(*best);
        }
        if (best_ms.size() == seeds.size()) band.push_back({x, quartiles(best_ms)});
    }
    return band;
}

std::vector<OverallGain> overall_gains(const std::vector<ContestRun> &runs) {
    const std::vector<std::string> apps = common_apps(runs);
    if (apps.empty()) return {};
    const std::vector<uint64_t> seeds = common_seeds(runs, apps);
    if (seeds.empty()) return {};
    std::vector<OverallGain> overall;
    for (const std::string &strategy : strategies_of(runs)) {
        std::vector<Stratum> strata;
        double mean = 0;
        for (const std::string &app : apps) {
            std::vector<double> gains;
            for (const uint64_t seed : seeds) gains.push_back(*log_gain(runs, app, strategy, seed));
            strata.push_back(stratum_of(gains));
            mean += strata.back().mean / static_cast<double>(apps.size());
        }
        overall.push_back({.strategy = strategy,
                           .apps = apps.size(),
                           .seeds = seeds.size(),
                           .gain = std::exp(mean),
                           .interval = stratified_interval(strata, seeds.size(), mean)});
    }
    std::ranges::stable_sort(overall, std::greater(), &OverallGain::gain);
    return overall;
}

std::vector<std::string> left_out_of_overall(const std::vector<ContestRun> &runs) {
    std::vector<std::string> left_out;
    for (const std::string &app : apps_of(runs)) {
        for (const std::string &strategy : strategies_of(runs)) {
            if (has_gain(runs, app, strategy)) continue;
            left_out.push_back(app + ", on which " + strategy + " has no gain");
            break;
        }
    }
    const std::vector<std::string> apps = common_apps(runs);
    for (const uint64_t seed : distinct(runs, &ContestRun::seed)) {
        const std::string lack = lack_of_seed(runs, apps, seed);
        if (!lack.empty()) {
            left_out.push_back("seed " + std::to_string(seed) + ", under which " + lack);
        }
    }
    return left_out;
}

bool are_apart(const ConfidenceInterval &one, const ConfidenceInterval &other) {
    if (one.confidence == 0 || other.confidence == 0) return false;
    return one.low > other.high || other.low > one.high;
}

PredictedChoice predicted_choice(const std::vector<Prediction> &predictions) {
    const auto chosen = std::ranges::min_element(predictions, {}, &Prediction::predicted_ms);
    const auto fastest = std::ranges::min_element(predictions, {}, &Prediction::measured_ms);
    std::vector<double> slower;
    for (const Prediction &one : predictions) {
        slower.push_back(one.measured_ms / fastest->measured_ms);
    }
    return {.chosen = chosen->measured_ms / fastest->measured_ms, .mean = geometric_mean(slower)};
}

const CoursePoint *nearly_done(const ContestRun &run, double share) {
    if (run.course.empty()) return nullptr;
    const double enough_ms = run.course.back().best_ms * (1 + share);
    return &*std::ranges::find_if(
        run.course, [&](const CoursePoint &point) { return point.best_ms <= enough_ms; });
}

}  // namespace autoschedule_gpu
