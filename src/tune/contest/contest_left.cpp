#include "tune/contest/contest_left.h"

#include <algorithm>

namespace autoschedule_gpu {

std::optional<double> contest_left_s(std::span<const ContestRun> made, const ContestToCome &more) {
    if (made.empty() && !more.left_s) return std::nullopt;
    double sum_s = 0;
    for (const ContestRun &run : made) sum_s += run.seconds;
    const auto count = static_cast<double>(made.size());
    const double left_s = more.left_s ? *more.left_s : std::max(0.0, sum_s / count - more.so_far_s);
    const double mean_s = (sum_s + more.so_far_s + left_s) / (count + 1);
    return left_s + mean_s * more.runs;
}

}  // namespace autoschedule_gpu
