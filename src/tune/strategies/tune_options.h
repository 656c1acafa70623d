// What a user may ask of a tuner's strategy. Each strategy reads what concerns it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/support/error.h"
#include "lab/verdict/significance.h"
#include "lab/workloads/sampler.h"
#include "tune/strategies/retraining.h"

namespace autoschedule_gpu {

// How much of a batch is measured (Anderson et al. 2021, section 6).
enum class TuneMode : uint8_t { one_shot, top5, autotune };

inline constexpr std::array<std::string_view, 3> kTuneModeNames = {"one-shot", "top5", "autotune"};

constexpr std::string_view to_string(TuneMode mode) {
    return kTuneModeNames[static_cast<size_t>(mode)];
}

// The error lists the names.
Result<TuneMode> parse_tune_mode(std::string_view text);

// Where a descent begins: at the best schedule that is known, at what the autoscheduler makes when
// nothing is tuned, or at the plain schedule, the canonical kernel of Canesche et al. 2024
// (definition 2.6).
enum class DescentOrigin : uint8_t { best, untuned, plain };

inline constexpr std::array<std::string_view, 3> kDescentOriginNames = {"best", "default", "plain"};

constexpr std::string_view to_string(DescentOrigin origin) {
    return kDescentOriginNames[static_cast<size_t>(origin)];
}

// The error lists the names.
Result<DescentOrigin> parse_descent_origin(std::string_view text);

struct TuneOptions {
    TuneMode mode = TuneMode::autotune;
    std::optional<int> batch = {};  // schedules that are tried together; else as the strategy likes
    int iterations = 20;            // batches, or generations
    uint64_t seed = 0;
    Sampler sampler = {.kind = SamplerKind::paper};
    RetrainingSettings retraining = {};  // of the mode autotune
    // Of coordinate descent: the level of significance is what is missing of the confidence to 1.
    double confidence = 1 - kSignificanceLevel;
    DescentOrigin origin = DescentOrigin::best;
};

}  // namespace autoschedule_gpu
