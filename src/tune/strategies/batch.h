// The modes of Anderson et al. 2021 (section 6), from a batch of random schedules: 80 of them,
// one by the full search and 79 by greedy ones.
//
//     one-shot  the one that the cost model thinks best
//     top5      the five that it thinks best are measured
//     autotune  all are measured and the model is retrained, 20 times
//
// Before that the default schedule is measured, always. What spills registers is left out
// (spill_filter.h): of the whole batch in the first two modes, of each part that is tried between
// two looks at the clock in the third, and nothing of what single workers try.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/support/error.h"
#include "lab/workloads/sampler.h"
#include "tune/session/session.h"
#include "tune/strategies/retraining.h"

namespace autoschedule_gpu {

enum class TuneMode : uint8_t { one_shot, top5, autotune };

inline constexpr std::array<std::string_view, 3> kTuneModeNames = {"one-shot", "top5", "autotune"};

constexpr std::string_view to_string(TuneMode mode) {
    return kTuneModeNames[static_cast<size_t>(mode)];
}

Result<TuneMode> parse_tune_mode(std::string_view text);

struct BatchSettings {
    TuneMode mode = TuneMode::autotune;
    int batch = 80;       // schedules, the default one not counted
    int iterations = 20;  // of autotune
    uint64_t seed = 0;
    Sampler sampler = {.kind = SamplerKind::paper};
    RetrainingSettings retraining = {};  // of autotune
};

// Returns the draws of one iteration; the first iteration is 0.
std::vector<ScheduleRequest> draws_of(const BatchSettings &settings, const Workload &workload,
                                      int iteration);

// Runs until the mode is done or the session is over.
Status run_batch(Session &session, const BatchSettings &settings);

}  // namespace autoschedule_gpu
