#include "tune/strategies/batch.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/support/hash.h"
#include "lab/records/tuning_record.h"
#include "tune/session/spill_filter.h"

namespace autoschedule_gpu {
namespace {

int iterations_of(const BatchSettings &settings) {
    return settings.mode == TuneMode::autotune ? settings.iterations : 1;
}

size_t most_measured(TuneMode mode) {
    return mode == TuneMode::one_shot ? 1 : 5;
}

// Returns those that are predicted to be fastest, of all that have code, each code once, and
// without those that spill as far as others are left.
std::vector<size_t> most_promising(const Session &session, const std::vector<size_t> &batch,
                                   size_t most) {
    const std::set<size_t> distinct(batch.begin(), batch.end());
    std::vector<size_t> candidates;
    std::vector<std::optional<int64_t>> spills;
    for (size_t index : distinct) {
        const Trial &trial = session.trials()[index];
        if (trial.failure || !trial.predicted_ms) continue;
        candidates.push_back(index);
        spills.push_back(trial.spill_bytes);
    }
    std::vector<size_t> kept;
    for (size_t i : without_spills(spills)) kept.push_back(candidates[i]);
    std::stable_sort(kept.begin(), kept.end(), [&](size_t a, size_t b) {
        return *session.trials()[a].predicted_ms < *session.trials()[b].predicted_ms;
    });
    kept.resize(std::min(kept.size(), most));
    return kept;
}

Status measure_default(Session &session) {
    const std::vector<ScheduleRequest> draws = {default_request()};
    const Result<std::vector<size_t>> batch = session.attempt(draws);
    if (!batch) return batch.error();
    return session.close(*batch);
}

// The modes that measure little: all are built, and the most promising run.
Status run_ranked(Session &session, const BatchSettings &settings,
                  const std::vector<ScheduleRequest> &draws) {
    const Result<std::vector<size_t>> batch = session.build(draws);
    if (!batch) return batch.error();
    const std::vector<size_t> chosen =
        most_promising(session, *batch, most_measured(settings.mode));
    if (Status measured = session.measure(chosen); !measured) return measured;
    return session.close(*batch);
}

// As many as are tried between two looks at the clock.
constexpr size_t kPart = 16;

Status run_all(Session &session, const std::vector<ScheduleRequest> &draws) {
    for (size_t first = 0; first < draws.size() && !session.is_over(); first += kPart) {
        const size_t count = std::min(kPart, draws.size() - first);
        const auto batch = session.attempt(std::span(draws).subspan(first, count));
        if (!batch) return batch.error();
        if (Status closed = session.close(*batch); !closed) return closed;
    }
    return Ok{};
}

}  // namespace

Result<TuneMode> parse_tune_mode(std::string_view text) {
    const auto found = std::find(kTuneModeNames.begin(), kTuneModeNames.end(), text);
    if (found != kTuneModeNames.end()) return static_cast<TuneMode>(found - kTuneModeNames.begin());
    return Error{"expected one-shot, top5 or autotune, found '" + std::string(text) + "'"};
}

std::vector<ScheduleRequest> draws_of(const BatchSettings &settings, const Workload &workload,
                                      int iteration) {
    const uint64_t seed = Hasher().add(settings.seed).add(static_cast<uint64_t>(iteration)).value();
    std::vector<ScheduleRequest> draws;
    for (int number = 0; number < settings.batch; ++number) {
        draws.push_back(draw_schedule(settings.sampler, seed, workload, number));
    }
    return draws;
}

Status run_batch(Session &session, const BatchSettings &settings) {
    const int iterations = iterations_of(settings);
    session.expect_trials(session.trials_left(1 + iterations * settings.batch));
    if (Status measured = measure_default(session); !measured) return measured;
    BatchSettings current = settings;
    for (int iteration = 0; iteration < iterations && !session.is_over(); ++iteration) {
        std::vector<ScheduleRequest> draws = draws_of(current, session.parts().workload, iteration);
        draws.resize(static_cast<size_t>(session.trials_left(settings.batch)));
        Status done = settings.mode == TuneMode::autotune ? run_all(session, draws)
                                                          : run_ranked(session, settings, draws);
        if (!done) return done;
        if (iteration + 1 == iterations || session.is_over()) break;
        const auto weights = retrain_on(session, settings.retraining, iteration);
        if (!weights) return weights.error();
        if (*weights) current.sampler.weights = **weights;
    }
    return Ok{};
}

}  // namespace autoschedule_gpu
