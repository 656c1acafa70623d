#include "tune/session/time_left.h"

#include <algorithm>

namespace autoschedule_gpu {

WorkLeft WorkLeft::within(double seconds) const {
    if (all() <= seconds) return *this;
    const double share = seconds / all();
    return {.price = share * price,
            .compile = share * compile,
            .run = share * run,
            .train = share * train};
}

std::optional<WorkLeft> work_left(const WorkDone &done, const WorkToCome &more) {
    if (done.compiled == 0) return std::nullopt;
    const double together = done.compiled == 1 ? done.at_a_time : 1;
    const double per_code_s = done.compile_s / done.compiled / together;
    const double other_s = done.compile_s + done.link_s + done.price_s + done.train_s;
    const double run_s = std::max(0.0, done.wall_s - other_s);
    const double runs = std::max(1, done.run);
    const double per_run_s = (run_s + done.link_s / together) / runs;
    return WorkLeft{.price = done.price_of_tried_s / done.compiled * more.compiled,
                    .compile = per_code_s * more.compiled,
                    .run = per_run_s * more.run + more.end_s,
                    .train = done.train_s / runs * more.run};
}

int next_part(const WorkDone &done, double seconds, int wanted) {
    const std::optional<WorkLeft> one = work_left(done, {.compiled = 1, .run = 1});
    const double most = one ? seconds / 2 / std::max(one->compile + one->run, 1e-9) : 0;
    if (most >= wanted) return wanted;
    return std::min(wanted, std::max(done.at_a_time, static_cast<int>(most)));
}

}  // namespace autoschedule_gpu
