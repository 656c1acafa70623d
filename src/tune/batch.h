// The modes of Anderson et al. 2021 (section 6.2), from a batch of random schedules: 80 of them,
// one by the full search and 79 by greedy ones.
//
//     one-shot  the one that the cost model thinks best
//     top5      the five that it thinks best are measured
//     autotune  all are measured and the model is retrained, 20 times
//
// Before that the default schedule is measured, always. In the first two modes what spills
// registers is left out (spill_filter.h).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "support/error.h"
#include "trial/sampler.h"
#include "tune/retraining.h"
#include "tune/session.h"

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

// What the autoscheduler makes when nothing is tuned.
Draw default_draw();

// The draws of one iteration, the first is 0.
std::vector<Draw> draws_of(const BatchSettings &settings, const Subject &subject, int iteration);

// Until the mode is done or the session is over.
Status run_batch(Session &session, const BatchSettings &settings);

}  // namespace autoschedule_gpu
