// How well predicted times rank schedules of one application, and where they are wrong.
#pragma once

#include <string>
#include <vector>

#include "compare/judged/predictions.h"

namespace autoschedule_gpu {

// Pairs that differ by less mean nothing: no simulator is that exact.
inline constexpr double kLeastDifference = 1.2;
// Kernels below this share of their schedule's time are not asked about.
inline constexpr double kLeastShare = 0.1;

struct Inversion {
    std::string slower = {}, faster = {};  // as simulated; predicted the other way round
    double simulated = 1;                  // how many times slower
};

struct RankQuality {
    int schedules = 0;
    int pairs = 0, right = 0;  // pairs of schedules whose simulated times differ
    double regret = 0;         // 0.04: the model's first choice takes 4 % longer than the best
    Inversion worst = {};      // empty names: none
    double pairwise() const { return pairs > 0 ? double(right) / pairs : 1; }
};

// Of schedules of one application. Equal predictions for different times are wrong.
RankQuality rank_quality(const std::vector<const JudgedSchedule *> &schedules);

struct ApplicationQuality {
    std::string application = {};
    RankQuality quality = {};
    double least_ratio = 0, greatest_ratio = 0;  // of schedules: predicted over simulated
};

// In order of the applications' names.
std::vector<ApplicationQuality> qualities(const std::vector<JudgedSchedule> &schedules);

// All pairs together; the regret is the geometric mean over applications of several schedules.
RankQuality overall(const std::vector<ApplicationQuality> &qualities);

// Predicted over simulated of kernels, by what the model says that they wait for.
struct ResourceQuality {
    std::string bound_by = {};
    int kernels = 0;
    double least = 0, geometric_mean = 0, greatest = 0;
};
std::vector<ResourceQuality> by_resource(const std::vector<JudgedSchedule> &schedules);

}  // namespace autoschedule_gpu
