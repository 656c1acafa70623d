#include "learn/collect/believed_runs.h"

#include <algorithm>

#include "core/support/statistics.h"

namespace autoschedule_gpu {

std::vector<double> believed_runs(const RunReport &report) {
    std::vector<double> runs;
    for (size_t i = 0; i < report.samples_ms.size(); ++i) {
        const double time_ms = report.samples_ms[i];
        const double waited_ms = i < report.waited_ms.size() ? report.waited_ms[i] : 0;
        if (waited_ms <= kMostWaiting * time_ms + kWakingMs) runs.push_back(time_ms);
    }
    std::sort(runs.begin(), runs.end());
    runs.resize((runs.size() + 1) / 2);
    return runs;
}

std::optional<std::vector<double>> agreed_runs(std::span<const std::vector<double>> rounds) {
    std::vector<std::pair<double, const std::vector<double> *>> by_median;
    for (const std::vector<double> &round : rounds) {
        if (!round.empty()) by_median.emplace_back(median(round), &round);
    }
    if (by_median.size() < 2) return std::nullopt;
    std::stable_sort(by_median.begin(), by_median.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    if (by_median[1].first > by_median[0].first * (1 + kAgreement)) return std::nullopt;
    std::vector<double> runs = *by_median[0].second;
    runs.insert(runs.end(), by_median[1].second->begin(), by_median[1].second->end());
    return runs;
}

}  // namespace autoschedule_gpu
