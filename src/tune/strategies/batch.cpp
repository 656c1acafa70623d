#include "tune/strategies/batch.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "core/support/hash.h"
#include "lab/records/tuning_record.h"
#include "tune/session/spill_filter.h"
#include "tune/strategies/attempt_all.h"
#include "tune/strategies/rounds.h"
#include "tune/strategies/shipped.h"

namespace autoschedule_gpu {
namespace {

constexpr int kSchedulesOfBatch = 80;  // schedules, the default one not counted (section 6)

int batch_of(const TuneOptions &options) {
    return options.batch.value_or(kSchedulesOfBatch);
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

// What came of draws.
struct Tries {
    std::vector<size_t> trials = {};
    int redraws = 0;  // with which the next draws should begin
};

// How many schedules an iteration asked for, and how many it came to that were not known.
struct DrawsOfBatch {
    size_t asked = 0, made = 0;
};

// Notes that no further schedules are drawn where the draws of a batch led to fewer than it has.
void note_if_few(Session &session, const DrawsOfBatch &drawn) {
    if (drawn.made >= drawn.asked || session.is_over()) return;
    const auto different = std::ranges::count_if(
        session.trials(), [](const Trial &trial) { return trial.code_hash != 0; });
    session.parts().journal.add({{"event", "few schedules"}, {"different", different}});
}

using TryNew = Result<Session::NewTrials> (Session::*)(std::span<const ScheduleRequest>);

// Builds or attempts draws in parts, between which the clock and the user are asked. Adds the
// trials of new code to `tries`. Returns the numbers of those that led to known code.
Result<std::vector<int>> try_once(Session &session, TryNew try_new, const BatchDraws &draws,
                                  std::span<const int> numbers, int redraws, Tries &tries) {
    std::vector<int> again;
    while (!numbers.empty() && !session.is_over()) {
        const size_t open = std::min(kPart, numbers.size());
        const bool runs = try_new == &Session::attempt_new;
        const std::span<const int> part = numbers.first(
            runs ? static_cast<size_t>(session.trials_of_next_part(static_cast<int>(open))) : open);
        std::vector<ScheduleRequest> requests;
        for (const int number : part) requests.push_back(draws.draw(number, redraws));
        const Result<Session::NewTrials> made = (session.*try_new)(requests);
        if (!made) return made.error();
        numbers = numbers.subspan(made->size());
        for (size_t i = 0; i < made->size(); ++i) {
            if (const std::optional<size_t> trial = (*made)[i]) {
                tries.trials.push_back(*trial);
            } else {
                again.push_back(part[i]);
            }
        }
    }
    return again;
}

// Builds or attempts the draws of those numbers. What leads to code that is known is drawn again,
// and left out after kMostRedraws.
Result<Tries> try_different(Session &session, TryNew try_new, const BatchDraws &draws,
                            std::vector<int> numbers, int redraws) {
    Tries tries{.redraws = redraws};
    for (; !numbers.empty() && redraws < kMostRedraws; ++redraws) {
        const auto known = try_once(session, try_new, draws, numbers, redraws, tries);
        if (!known) return known.error();
        std::vector<int> again = *known;
        const bool most_were_known = 2 * again.size() > numbers.size();
        if (most_were_known) tries.redraws = std::min(redraws + 1, kMostRedraws - 1);
        if (!again.empty()) {
            session.parts().journal.add({{"event", "drawn again"}, {"schedules", again.size()}});
        }
        numbers = std::move(again);
        if (session.is_over()) break;
    }
    return tries;
}

class Batch final : public TuneStrategy {
public:
    explicit Batch(TuneOptions options) : options_(std::move(options)) {}

    std::string_view name() const override { return "batch"; }
    StartsFrom starts_from() const override { return StartsFrom::own_draws; }
    int trials_wanted() const override { return iterations_of(options_) * batch_of(options_); }
    int runs_wanted() const override {
        if (options_.mode == TuneMode::autotune) return trials_wanted();
        return std::min(trials_wanted(), static_cast<int>(most_measured(options_.mode)));
    }

    // The best of a batch that is cut short are others, and no longer the best of the whole one.
    bool goes_by(const Budget &budget) const override {
        if (options_.mode == TuneMode::autotune) return false;
        return budget.seconds || (budget.trials && *budget.trials <= batch_of(options_));
    }

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
            const Result<DrawsOfBatch> drawn = run_iteration(session, current, iteration);
            if (!drawn) return drawn.error();
            note_if_few(session, *drawn);
            if (iteration + 1 == iterations || session.is_over()) break;
            if (drawn->made == 0)
                return end_strategy(session, name(), "no further schedule was drawn");
            const auto weights = retrain_on(session, options_.retraining, iteration);
            if (!weights) return weights.error();
            if (*weights) current.sampler.weights = **weights;
        }
        return std::vector<size_t>();
    }

private:
    static Result<DrawsOfBatch> run_iteration(Session &session, const TuneOptions &options,
                                              int iteration) {
        const BatchDraws draws(options, session.parts().workload, iteration);
        std::vector<int> numbers(static_cast<size_t>(session.trials_left(batch_of(options))));
        std::iota(numbers.begin(), numbers.end(), 0);
        if (options.mode == TuneMode::autotune) return measure_all(session, draws, numbers);
        return measure_best(session, draws, numbers, most_measured(options.mode));
    }

    // Each part begins with as many redraws as the one before has shown to be necessary.
    static Result<DrawsOfBatch> measure_all(Session &session, const BatchDraws &draws,
                                            std::span<const int> numbers) {
        DrawsOfBatch drawn{.asked = numbers.size()};
        int redraws = 0;
        while (!numbers.empty() && !session.is_over()) {
            const std::span<const int> part = numbers.first(std::min(kPart, numbers.size()));
            numbers = numbers.subspan(part.size());
            const Result<Tries> tries = try_different(session, &Session::attempt_new, draws,
                                                      {part.begin(), part.end()}, redraws);
            if (!tries) return tries.error();
            if (Status closed = session.close(tries->trials); !closed) return closed.error();
            if (tries->trials.empty()) break;
            drawn.made += tries->trials.size();
            redraws = tries->redraws;
        }
        return drawn;
    }

    // All are built, as long as there is time to run some, and the most promising run.
    static Result<DrawsOfBatch> measure_best(Session &session, const BatchDraws &draws,
                                             const std::vector<int> &numbers, size_t most) {
        session.keep_time_for_runs(static_cast<int>(most));
        const Result<Tries> tries = try_different(session, &Session::build_new, draws, numbers, 0);
        if (!tries) return tries.error();
        const std::vector<size_t> chosen = most_promising(session, tries->trials, most);
        session.use_kept_time();
        if (Status measured = session.measure(chosen); !measured) return measured.error();
        if (Status closed = session.close(tries->trials); !closed) return closed.error();
        return DrawsOfBatch{.asked = numbers.size(), .made = tries->trials.size()};
    }

    TuneOptions options_;
};

}  // namespace

BatchDraws::BatchDraws(const TuneOptions &options, const Workload &workload, int iteration)
    : sampler_(options.sampler),
      workload_(workload),
      seed_(Hasher().add(options.seed).add(static_cast<uint64_t>(iteration)).value()) {}

ScheduleRequest BatchDraws::draw(int number, int redraws) const {
    return draw_schedule(sampler_, seed_, workload_, number, redraws);
}

std::shared_ptr<const TuneStrategy> make_batch(const TuneOptions &options) {
    return std::make_shared<Batch>(options);
}

}  // namespace autoschedule_gpu
