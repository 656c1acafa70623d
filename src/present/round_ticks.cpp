#include "present/round_ticks.h"

namespace autoschedule_gpu {

namespace {

int64_t step_of(int64_t last, int64_t most) {
    for (int64_t power = 1;; power *= 10) {
        for (const int64_t digit : {1, 2, 5}) {
            if (last / (digit * power) <= most) return digit * power;
        }
    }
}

}  // namespace

std::vector<int64_t> round_ticks(int64_t last, int64_t most) {
    const int64_t step = step_of(last, most);
    std::vector<int64_t> ticks;
    for (int64_t tick = 0; tick <= last; tick += step) ticks.push_back(tick);
    return ticks;
}

}  // namespace autoschedule_gpu
