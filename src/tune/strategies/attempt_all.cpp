#include "tune/strategies/attempt_all.h"

#include <algorithm>

namespace autoschedule_gpu {

Result<std::vector<size_t>> attempt_all(Session &session,
                                        std::span<const ScheduleRequest> requests) {
    std::vector<size_t> trials;
    while (trials.size() < requests.size() && !session.is_over()) {
        const size_t open = std::min(kPart, requests.size() - trials.size());
        const auto count = static_cast<size_t>(session.trials_of_next_part(static_cast<int>(open)));
        const auto batch = session.attempt(requests.subspan(trials.size(), count));
        if (!batch) return batch.error();
        if (Status closed = session.close(*batch); !closed) return closed.error();
        trials.insert(trials.end(), batch->begin(), batch->end());
    }
    return trials;
}

}  // namespace autoschedule_gpu
