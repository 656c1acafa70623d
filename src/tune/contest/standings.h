// Who wins a contest, from its runs: the figures behind the tables and the curves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/support/statistics.h"
#include "tune/contest/contest_run.h"

namespace autoschedule_gpu {

// In the order in which they first appear.
std::vector<std::string> apps_of(const std::vector<ContestRun> &runs);
std::vector<std::string> strategies_of(const std::vector<ContestRun> &runs);

// The runs of a strategy on a pipeline, one per seed.
using Seeds = std::vector<const ContestRun *>;
Seeds seeds_of(const std::vector<ContestRun> &runs, const std::string &app,
               const std::string &strategy);

// What a run knew best after so many trials, or seconds: nothing before its first measurement.
enum class CourseAxis : uint8_t { trials, seconds };
std::optional<double> best_at(const ContestRun &run, CourseAxis axis, double x);

// Quartiles over the seeds from `x` on.
struct BandPoint {
    double x = 0;
    Quartiles best_ms = {};
};
// The best so far of a strategy, from where all seeds have measured something. Empty along seconds
// where these are not known.
std::vector<BandPoint> band_of(const Seeds &seeds, CourseAxis axis);

// What a strategy is worth on all pipelines that every strategy has run on: the geometric mean of
// its gains over the untuned schedule, over pipelines and seeds. How much it differs between
// pipelines is no noise, and between seeds it is: hence Student's interval of a stratified mean of
// logarithms, with the degrees of freedom of Satterthwaite. Of one seed there is none: its
// confidence is 0.
struct OverallGain {
    std::string strategy = {};
    size_t apps = 0, seeds = 0;
    double gain = 0;
    ConfidenceInterval interval = {};
};
// The greatest gain first. Seeds count that all strategies have on all of these pipelines.
std::vector<OverallGain> overall_gains(const std::vector<ContestRun> &runs);

// What these leave out, and for want of what: "seed 3, under which top5 has no gain on harris".
std::vector<std::string> left_out_of_overall(const std::vector<ContestRun> &runs);

// Whether two intervals tell who is better: both have a confidence, and they do not overlap.
bool are_apart(const ConfidenceInterval &one, const ConfidenceInterval &other);

// What was predicted to be fastest, and what the schedules take on average, over the fastest of
// them (Anderson et al. 2021, section 6.4). There must be a prediction.
struct PredictedChoice {
    double chosen = 1, mean = 1;  // time over that of the fastest; the mean is geometric
};
PredictedChoice predicted_choice(const std::vector<Prediction> &predictions);

// The trials and seconds after which a run was within `share` of its own last best.
const CoursePoint *nearly_done(const ContestRun &run, double share);

double geometric_mean(const std::vector<double> &values);

}  // namespace autoschedule_gpu
