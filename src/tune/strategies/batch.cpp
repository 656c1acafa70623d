#include "tune/strategies/batch.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "core/support/hash.h"
#include "lab/records/tuning_record.h"
#include "tune/session/spill_filter.h"
#include "tune/strategies/attempt_all.h"
#include "tune/strategies/shipped.h"

namespace autoschedule_gpu {
namespace {

constexpr int kBatch = 80;  // schedules, the default one not counted (section 6)

int batch_of(const TuneOptions &options) {
    return options.batch.value_or(kBatch);
}

int iterations_of(const TuneOptions &options) {
    return options.mode == TuneMode::autotune ? options.iterations : 1;
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

// The modes that measure little: all are built, and the most promising run.
Status run_ranked(Session &session, const TuneOptions &options,
                  const std::vector<ScheduleRequest> &draws) {
    const Result<std::vector<size_t>> batch = session.build(draws);
    if (!batch) return batch.error();
    const std::vector<size_t> chosen = most_promising(session, *batch, most_measured(options.mode));
    if (Status measured = session.measure(chosen); !measured) return measured;
    return session.close(*batch);
}

class Batch final : public TuneStrategy {
public:
    explicit Batch(TuneOptions options) : options_(std::move(options)) {}

    std::string_view name() const override { return "batch"; }
    StartsFrom starts_from() const override { return StartsFrom::own_draws; }
    int trials_wanted() const override { return iterations_of(options_) * batch_of(options_); }

    void add_settings_to(Hasher &hasher) const override {
        hasher.add(to_string(options_.mode)).add(static_cast<uint64_t>(batch_of(options_)));
        hasher.add(static_cast<uint64_t>(options_.iterations));
        hasher.add(static_cast<uint64_t>(options_.sampler.kind));
        if (options_.sampler.weights) hasher.add(options_.sampler.weights->name);
    }

    Result<std::vector<size_t>> run(Session &session) const override {
        const int iterations = iterations_of(options_);
        TuneOptions current = options_;
        for (int iteration = 0; iteration < iterations && !session.is_over(); ++iteration) {
            if (Status done = run_iteration(session, current, iteration); !done) {
                return done.error();
            }
            if (iteration + 1 == iterations || session.is_over()) break;
            const auto weights = retrain_on(session, options_.retraining, iteration);
            if (!weights) return weights.error();
            if (*weights) current.sampler.weights = **weights;
        }
        return std::vector<size_t>();
    }

private:
    static Status run_iteration(Session &session, const TuneOptions &options, int iteration) {
        std::vector<ScheduleRequest> draws = draws_of(options, session.parts().workload, iteration);
        draws.resize(static_cast<size_t>(session.trials_left(batch_of(options))));
        if (options.mode != TuneMode::autotune) return run_ranked(session, options, draws);
        const Result<std::vector<size_t>> tried = attempt_all(session, draws);
        if (!tried) return tried.error();
        return Ok{};
    }

    TuneOptions options_;
};

}  // namespace

std::vector<ScheduleRequest> draws_of(const TuneOptions &options, const Workload &workload,
                                      int iteration) {
    const uint64_t seed = Hasher().add(options.seed).add(static_cast<uint64_t>(iteration)).value();
    std::vector<ScheduleRequest> draws;
    for (int number = 0; number < batch_of(options); ++number) {
        draws.push_back(draw_schedule(options.sampler, seed, workload, number));
    }
    return draws;
}

std::shared_ptr<const TuneStrategy> make_batch(const TuneOptions &options) {
    return std::make_shared<Batch>(options);
}

}  // namespace autoschedule_gpu
