// Finds out whether a schedule is faster than another, in as few interleaved rounds as will tell:
// three at first, as in the Droplet search (Canesche et al. 2024, section 3.3), three more while it
// may be but is not certain, and so on, each look at its level_of_look.
#pragma once

#include <cstddef>
#include <optional>

#include "core/support/error.h"
#include "lab/run/noise.h"
#include "lab/verdict/significance.h"
#include "tune/session/session.h"

namespace autoschedule_gpu {

struct DuelSettings {
    int rounds = 3;  // between two looks; at least 3 (significance.h)
    int looks = 3;
    double level = kSignificanceLevel;  // of all looks together; 0.5: one look, who is ahead wins
    NoiseProtocol noise = {.warmup_runs = 1, .samples = 5, .time_budget_s = 0.3};
};

struct Duel {
    bool is_won = false;        // by the challenger
    double chance_of_luck = 1;  // significance.h, over all rounds
    double challenger_ms = 0;   // median over all rounds, as is the next; 0 if it failed
    double incumbent_ms = 0;
};

// Trials of the session, by index. One that fails on the way loses; of two, the challenger. Nothing
// where the run was cut off before it was decided.
Result<std::optional<Duel>> compare_pair(Session &session, size_t challenger, size_t incumbent,
                                         const DuelSettings &settings = {});

}  // namespace autoschedule_gpu
