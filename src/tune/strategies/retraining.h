// Between the iterations of autotuning: the network is trained on what the run has measured
// (Anderson et al. 2021, section 6), and searches go by it from there on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/support/error.h"
#include "lab/workloads/sampler.h"
#include "tune/session/session.h"

namespace autoschedule_gpu {

struct RetrainingSettings {
    std::optional<SamplerWeights> weights = {};  // to begin with; none: drawn at random
    uint64_t seed = 0;
    int threads = 0;  // 0: one per core
};

// Fewer measured schedules teach nothing.
inline constexpr size_t kLeastSchedulesToTrain = 8;

// Trains on the measured trials of the session, writes the weights to its folder as
// iteration-NUMBER.weights and lets the session predict by them. Nothing if there are too few.
Result<std::optional<SamplerWeights>> retrain_on(Session &session,
                                                 const RetrainingSettings &settings, int iteration);

// The same for `members` networks, iteration-NUMBER-MEMBER.weights, none of which the session
// predicts by yet. They differ in what they begin with, unless that is a file, and in the order in
// which they see the trials: where they disagree, the trials have not said enough (deep ensembles:
// Lakshminarayanan et al. 2017). None if there are too few.
Result<std::vector<SessionModel>> retrain_ensemble(Session &session,
                                                   const RetrainingSettings &settings,
                                                   int iteration, int members);

}  // namespace autoschedule_gpu
