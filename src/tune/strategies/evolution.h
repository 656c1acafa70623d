// Evolution under the cost model alone (Shao et al. 2022, section 4 and figure 7): thousands of
// mutants, none of which is compiled.
//
//     best measured, random draws ─► chains ─► mutants ─► replayed, or refused ─► priced
//                                      ▲                                            │
//                                      └── annealed Metropolis-Hastings ◄───────────┘
//
// Each chain is at a schedule and proposes one mutant of it per generation. What is faster under
// the model is accepted, what is slower with the probability exp(-ln(ratio of costs) /
// temperature); the temperature falls from generation to generation. All that was priced is what a
// strategy may measure, accepted or not.
#pragma once

#include <set>
#include <span>
#include <vector>

#include "core/support/error.h"
#include "core/support/random.h"
#include "tune/session/session.h"
#include "tune/strategies/priced_lists.h"

namespace autoschedule_gpu {

// The numbers are the released defaults of MetaSchedule (TVM's EvolutionarySearch), but for the
// temperatures, of which the paper has none: shares of a schedule's cost.
struct EvolutionSettings {
    size_t population = 512;
    int generations = 4;
    double measured_share = 0.2;  // of the first generation, at most; the others are random draws
    double mutation_chance = 0.85;
    double hottest = 0.5, coldest = 0.05;
};

struct Evolution {
    std::vector<PricedList> found;      // not tried before, each schedule once; the cheapest first
    std::set<double> measured_ns = {};  // costs of all that were measured
    size_t proposed = 0, refused = 0, accepted = 0;
};

// Fewer chains, where the prices of so many would take more than a part of a budget of time: what
// is left after a round's prices is for measuring what they chose. How many follows from the budget,
// from the length of the list and from how many lists are priced beside the chains, `others`, not
// from the clock, so that a run that goes on or is replayed under the same budget evolves the same.
EvolutionSettings fitted(EvolutionSettings settings, const Budget &budget,
                         const ListedDecisions &origin, size_t others);

// `measured`: lists to begin with, the fastest first. `origin`: of random draws. `tried`: schedules
// that are not to be found. Ends early where the session is over.
Result<Evolution> evolve(Session &session, const EvolutionSettings &settings,
                         std::span<const ListedDecisions> measured, const ListedDecisions &origin,
                         const ScheduleHashes &tried, Random &random);

}  // namespace autoschedule_gpu
