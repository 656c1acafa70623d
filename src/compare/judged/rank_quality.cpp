#include "compare/judged/rank_quality.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace autoschedule_gpu {
namespace {

void compare_pair(const JudgedSchedule &a, const JudgedSchedule &b, RankQuality &quality) {
    const bool in_order = a.simulated_us < b.simulated_us;
    const JudgedSchedule &faster = in_order ? a : b, &slower = in_order ? b : a;
    const double difference = slower.simulated_us / faster.simulated_us;
    if (difference < kLeastDifference) return;
    ++quality.pairs;
    if (faster.predicted_us < slower.predicted_us) {
        ++quality.right;
    } else if (difference > quality.worst.simulated) {
        quality.worst = {slower.schedule, faster.schedule, difference};
    }
}

}  // namespace

RankQuality rank_quality(const std::vector<const JudgedSchedule *> &schedules) {
    RankQuality quality{.schedules = static_cast<int>(schedules.size())};
    if (schedules.empty()) return quality;
    for (size_t i = 0; i < schedules.size(); ++i) {
        for (size_t j = 0; j < i; ++j) compare_pair(*schedules[i], *schedules[j], quality);
    }
    const auto least = [&](double JudgedSchedule::*time) {
        return *std::ranges::min_element(schedules, {}, [&](const auto *s) { return s->*time; });
    };
    quality.regret = least(&JudgedSchedule::predicted_us)->simulated_us /
                         least(&JudgedSchedule::simulated_us)->simulated_us -
                     1;
    return quality;
}

std::vector<ApplicationQuality> qualities(const std::vector<JudgedSchedule> &schedules) {
    std::map<std::string, std::vector<const JudgedSchedule *>> by_application;
    for (const JudgedSchedule &one : schedules) by_application[one.application].push_back(&one);
    std::vector<ApplicationQuality> result;
    for (const auto &[application, theirs] : by_application) {
        const auto [least, greatest] = std::ranges::minmax_element(
            theirs, {}, [](const JudgedSchedule *one) { return one->ratio(); });
        result.push_back(
            {application, rank_quality(theirs), (*least)->ratio(), (*greatest)->ratio()});
    }
    return result;
}

RankQuality overall(const std::vector<ApplicationQuality> &qualities) {
    RankQuality all;
    double log_regret = 0;
    int choices = 0;
    for (const auto &[application, one, least, greatest] : qualities) {
        all.schedules += one.schedules;
        all.pairs += one.pairs;
        all.right += one.right;
        if (one.worst.simulated > all.worst.simulated) {
            all.worst = {application + "/" + one.worst.slower, application + "/" + one.worst.faster,
                         one.worst.simulated};
        }
        if (one.schedules < 2) continue;
        log_regret += std::log1p(one.regret);
        ++choices;
    }
    if (choices > 0) all.regret = std::expm1(log_regret / choices);
    return all;
}

std::vector<ResourceQuality> by_resource(const std::vector<JudgedSchedule> &schedules) {
    std::map<std::string, std::vector<double>> ratios;
    for (const JudgedSchedule &schedule : schedules) {
        for (const JudgedKernel &kernel : schedule.kernels) {
            if (kernel.share < kLeastShare) continue;
            ratios[kernel.predicted.bound_by].push_back(kernel.ratio());
        }
    }
    std::vector<ResourceQuality> result;
    for (const auto &[bound_by, all] : ratios) {
        double log_sum = 0;
        for (double ratio : all) log_sum += std::log(ratio);
        result.push_back({bound_by, static_cast<int>(all.size()), std::ranges::min(all),
                          std::exp(log_sum / static_cast<double>(all.size())),
                          std::ranges::max(all)});
    }
    return result;
}

}  // namespace autoschedule_gpu
