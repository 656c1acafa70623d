// Measured descent along the decisions of a schedule (the Droplet search: Canesche et al. 2024,
// sections 3.1 to 3.4).
//
//     incumbent ─► neighbours not visited ─► a part of them, compiled in parallel and run
//         ▲                                             │ the fastest seems faster
//         └──────── significantly faster ◄──────── both in turn: duel.h
//
// The paper measures the whole neighbourhood before each step. Pipelines have hundreds of
// neighbours and most steps are small, so a step is taken as soon as a part of them holds a better
// one; the descent ends as the paper's does, when no neighbour is faster. Which part is next: first
// what goes on in the direction of the last step (the paper's speculation), then the decisions
// after the one that was changed last, in turn.
#pragma once

#include <cstddef>
#include <optional>

#include "core/support/error.h"
#include "tune/session/session.h"
#include "tune/strategies/compare_pair.h"

namespace autoschedule_gpu {

struct DescentSettings {
    size_t part = 8;  // neighbours that are compiled together
    DuelSettings duel = {};
    int most_steps = 1000;
};

// Descends from the session's best trial that has a list of decisions, until no neighbour is faster
// or the session is over; the end is in the journal. Returns the index of the trial at which it
// ended, or nothing if no trial has a list. An error where nothing can be measured.
Result<std::optional<size_t>> descend(Session &session, const DescentSettings &settings);

}  // namespace autoschedule_gpu
