#include "lab/run/interleave.h"

#include <optional>
#include <utility>

namespace autoschedule_gpu {

namespace {

struct Rounds {
    std::vector<double> medians_ms;
    InterleavedRun run;
    std::optional<Failure> failure;
};

void add_round(Rounds &rounds, const Outcome<RunReport> &report) {
    if (!report) {
        rounds.failure = report.error();
        return;
    }
    if (rounds.run.rounds == 0) rounds.run.first = *report;
    rounds.run.rounds++;
    if (!report->samples_ms.empty()) rounds.medians_ms.push_back(median(report->samples_ms));
}

// Returns the i-th candidate of a round. Rounds begin at different candidates and go upwards and
// downwards in turn.
size_t candidate_at(size_t i, size_t round, size_t candidates) {
    const size_t step = round % 2 == 0 ? i : candidates - i;
    return (round + step) % candidates;
}

Outcome<InterleavedRun> outcome_of(Rounds rounds) {
    if (rounds.failure) return *std::move(rounds.failure);
    if (!rounds.medians_ms.empty()) rounds.run.timing = summarise(std::move(rounds.medians_ms));
    return std::move(rounds.run);
}

}  // namespace

std::vector<Outcome<InterleavedRun>> measure_interleaved(size_t candidates, int rounds,
                                                         const RunOnce &run_once,
                                                         const std::function<bool()> &stop) {
    std::vector<Rounds> all(candidates);
    for (int round = 0; round < rounds && !(stop && stop()); round++) {
        for (size_t i = 0; i < candidates; i++) {
            const size_t candidate = candidate_at(i, static_cast<size_t>(round), candidates);
            if (!all[candidate].failure) add_round(all[candidate], run_once(candidate, round));
        }
    }
    std::vector<Outcome<InterleavedRun>> outcomes;
    for (Rounds &of_one : all) outcomes.push_back(outcome_of(std::move(of_one)));
    return outcomes;
}

}  // namespace autoschedule_gpu
