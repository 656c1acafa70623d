#include "lab/traffic/sampling.h"

#include <algorithm>
#include <array>

namespace autoschedule_gpu {
namespace {

constexpr std::array<SamplePlan, 6> kPlans = {{
    {kEveryIteration, kEveryIteration, kEveryIteration},
    {{2, 16, 2}, {2, 8, 2}, {2, 8, 2}},
    {{2, 8, 2}, {2, 4, 2}, {2, 4, 2}},
    {{2, 4, 2}, {2, 2, 2}, {2, 2, 2}},
    {{2, 2, 2}, {2, 1, 2}, {1, 1, 1}},
    {{1, 2, 1}, {1, 1, 1}, {1, 1, 1}},
}};

bool is_whole(int64_t extent, const SampleRule &rule) {
    return rule.first >= extent || rule.first + rule.middle + rule.last >= extent;
}

}  // namespace

std::vector<SamplePoint> sample_points(int64_t extent, const SampleRule &rule) {
    std::vector<SamplePoint> points;
    const auto add = [&](int64_t begin, int64_t count, double weight) {
        for (int64_t i = 0; i < count; i++) points.push_back({begin + i, weight});
    };
    if (is_whole(extent, rule)) {
        add(0, extent, 1);
        return points;
    }
    const int64_t between = extent - rule.first - rule.last;
    add(0, rule.first, 1);
    add(rule.first + (between - rule.middle) / 2, rule.middle,
        static_cast<double>(between) / static_cast<double>(rule.middle));
    add(extent - rule.last, rule.last, 1);
    return points;
}

std::vector<SamplePoint> random_points(int64_t extent, int64_t count, Random &random) {
    std::vector<SamplePoint> points;
    for (int64_t i = 0; i < std::min(extent, count); i++) {
        points.push_back({static_cast<int64_t>(random.below(static_cast<uint64_t>(extent))), 0});
    }
    return points;
}

int64_t sample_count(int64_t extent, const SampleRule &rule) {
    if (is_whole(extent, rule)) return std::max<int64_t>(extent, 0);
    return rule.first + rule.middle + rule.last;
}

std::span<const SamplePlan> sample_plans() {
    return kPlans;
}

}  // namespace autoschedule_gpu
