#include "tune/run/tuner.h"

#include "core/support/hex.h"
#include "lab/records/tuning_record.h"

namespace autoschedule_gpu {
namespace {

// Their trials.
Result<std::vector<size_t>> try_known(Session &session, const std::vector<ScheduleRequest> &known) {
    if (known.empty()) return std::vector<size_t>();
    Result<std::vector<size_t>> batch = session.attempt(known);
    if (!batch) return batch;
    if (Status closed = session.close(*batch); !closed) return closed.error();
    return batch;
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
    const BatchSettings only_default{.mode = TuneMode::one_shot, .batch = 0};
    if (Status done = run_batch(session, plan.batch.value_or(only_default)); !done) {
        return done.error();
    }
    const Result<std::vector<size_t>> known = try_known(session, plan.known);
    if (!known) return known.error();
    FinalsSettings settings = plan.finals;
    settings.also = *known;
    if (plan.descent && !session.is_over()) {
        const Result<std::optional<size_t>> bottom = descend(session, *plan.descent);
        if (!bottom) return bottom.error();
        if (*bottom) settings.also.push_back(**bottom);
    }
    Result<Finals> finals = compare_finally(session, settings);
    if (!finals) return finals;
    if (Status noted = note_winner(session, *finals); !noted) return noted.error();
    return finals;
}

}  // namespace autoschedule_gpu
