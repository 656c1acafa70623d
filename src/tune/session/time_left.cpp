#include "tune/session/time_left.h"

#include <algorithm>

namespace autoschedule_gpu {

std::optional<double> seconds_left(const WorkDone &done, const WorkToCome &more) {
    if (done.compiled == 0) return std::nullopt;
    const double together = done.compiled == 1 ? done.at_a_time : 1;
    const double per_code_s = done.compile_s / done.compiled / together;
    const double run_s = std::max(0.0, done.wall_s - done.compile_s - done.link_s);
    const double per_run_s = (run_s + done.link_s / together) / std::max(1, done.run);
    return per_code_s * more.compiled + per_run_s * more.run + more.end_s;
}

}  // namespace autoschedule_gpu
