#include "tune/run/tuner.h"

#include <utility>

#include "core/support/hex.h"
#include "lab/records/tuning_record.h"

namespace autoschedule_gpu {
namespace {

// Tells the session what is to come after `tried` trials.
void expect_all(Session &session, const TunePlan &plan, int tried) {
    int trials = 1 - tried, runs = 1 - tried;  // the default schedule
    for (const auto &strategy : plan.strategies) {
        const bool is_open_ended = strategy->trials_wanted() == 0;
        if (is_open_ended) session.expect_unknown_trials();
        const int least = strategy->least_trials(session);
        trials += least;
        runs += is_open_ended ? least : strategy->runs_wanted();
    }
    session.expect_finals(kUsualLooksAtFinals,
                          static_cast<int>(plan.finals.finalists + 1) * plan.finals.rounds);
    session.expect_trials(session.trials_left(trials), session.trials_left(runs));
}

// Returns their trials.
Result<std::vector<size_t>> attempt_and_close(Session &session,
                                              const std::vector<ScheduleRequest> &requests) {
    if (requests.empty()) return std::vector<size_t>();
    Result<std::vector<size_t>> batch = session.attempt(requests);
    if (!batch) return batch;
    if (Status closed = session.close(*batch); !closed) return closed.error();
    return batch;
}

// Runs the strategies of that kind, in their order. Returns the trials that they send to the
// finals.
Result<std::vector<size_t>> run_strategies(Session &session, const TuneStrategies &strategies,
                                           StartsFrom kind) {
    std::vector<size_t> chosen;
    for (const auto &strategy : strategies) {
        if (strategy->starts_from() != kind) continue;
        if (session.is_over()) break;
        const Result<std::vector<size_t>> sent = strategy->run(session);
        if (!sent) return sent;
        if (session.is_over()) session.parts().journal.drop_announced();
        chosen.insert(chosen.end(), sent->begin(), sent->end());
    }
    return chosen;
}

// Returns the trials that take part in the finals whatever their first measurement was.
Result<std::vector<size_t>> run_all(Session &session, const TunePlan &plan) {
    expect_all(session, plan, 0);
    const Result<std::vector<size_t>> usual = attempt_and_close(session, {default_request()});
    if (!usual) return usual;
    expect_all(session, plan, 1);
    // What is known has its place in the budget, unless there is only that of the default schedule.
    const int places = session.trials_left(static_cast<int>(plan.known.size()));
    session.reserve(places);
    const auto drawn = run_strategies(session, plan.strategies, StartsFrom::own_draws);
    if (!drawn) return drawn;
    session.reserve(0);
    const auto known =
        attempt_and_close(session, {plan.known.begin(), plan.known.begin() + places});
    if (!known) return known;
    const auto improved = run_strategies(session, plan.strategies, StartsFrom::best_known);
    if (!improved) return improved;
    std::vector<size_t> chosen = *drawn;
    chosen.insert(chosen.end(), known->begin(), known->end());
    chosen.insert(chosen.end(), improved->begin(), improved->end());
    return chosen;
}

Status note_winner(Session &session, const Finals &finals) {
    const Finalist &best = finals.best();
    const Trial &trial = session.trials()[best.trial];
    Journal &journal = session.parts().journal;
    for (const Finalist &finalist : finals.finalists) {
        const Trial &other = session.trials()[finalist.trial];
        journal.add({{"event", "finalist"},
                     {"schedule", other.draw.schedule},
                     {"code_hash", to_hex(other.code_hash)},
                     {"median_ms", finalist.median_ms},
                     {"low_ms", finalist.interval_ms.low},
                     {"high_ms", finalist.interval_ms.high}});
    }
    journal.add({{"event", "winner"},
                 {"schedule", trial.draw.schedule},
                 {"code_hash", to_hex(trial.code_hash)},
                 {"median_ms", best.median_ms},
                 {"chance_of_luck", finals.chance_of_luck}});
    return journal.save();
}

}  // namespace

Result<Finals> tune(Session &session, const TunePlan &plan) {
    Result<std::vector<size_t>> chosen = run_all(session, plan);
    if (!chosen) return chosen.error();
    FinalsSettings settings = plan.finals;
    settings.also = std::move(chosen).value();
    Result<Finals> finals = compare_finally(session, settings);
    if (!finals || finals->is_empty()) return finals;
    if (Status noted = note_winner(session, *finals); !noted) return noted.error();
    return finals;
}

Result<Finals> end_after_error(Session &session, const TunePlan &plan) {
    session.parts().journal.drop_announced();
    session.end_trials();
    Finals finals = finals_of_first_measurements(session, plan.finals);
    if (finals.is_empty()) return finals;
    if (Status noted = note_winner(session, finals); !noted) return noted.error();
    return finals;
}

}  // namespace autoschedule_gpu
