// Learning-driven evolutionary search (Shao et al. 2022, section 4), round by round:
//
//     evolve under each model (evolution.h) ─► of what it found, the cheapest are measured, and a
//        ▲                                     few others (epsilon-greedy); mutants of the fastest
//        └── an ensemble is trained on all that was measured (retraining.h) ◄──┘
//
// The paper has one model. Here a round is shared out among the members of an ensemble, each of
// which has chains and choices of its own, so that what they do not agree on is measured more often
// (as in Thompson sampling; Osband et al. 2016).
//
// A quarter of a round are mutants of what was measured to be fastest, whatever a model says of
// them: on a device whose times the features do not explain, the search still climbs.
//
// Until there is enough to train on, the model is the one that the run began with, which may know
// nothing of the device. A half of what is measured by then are random draws, which teach the
// models what the space holds.
#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/support/random.h"
#include "tune/strategies/evolution.h"
#include "tune/strategies/mutation.h"
#include "tune/strategies/retraining.h"
#include "tune/strategies/rounds.h"
#include "tune/strategies/shipped.h"

namespace autoschedule_gpu {
namespace {

constexpr int kTrialsTogether = 64;      // MetaSchedule's trials per iteration
constexpr double kEpsilon = 0.05;        // of what is measured, whatever the model says of it
constexpr int kMembers = 4;              // of the ensemble
constexpr double kClimbingShare = 0.25;  // mutants of the fastest, once models are taught
constexpr size_t kFastest = 16;          // that mutants are made of
constexpr size_t kMutantsPerTrial = 4;   // of which one leads to a schedule that was not tried
constexpr double kUntaughtShare = 0.5;   // random draws, before the model has learned anything

// The lists of measured schedules, the fastest first.
Result<std::vector<ListedDecisions>> measured_lists(const Session &session) {
    std::vector<const Trial *> trials;
    for (const Trial &trial : session.trials()) {
        if (trial.is_measured() && !trial.decisions.empty()) trials.push_back(&trial);
    }
    std::ranges::stable_sort(trials, {}, [](const Trial *trial) { return trial->median_ms(); });
    std::vector<ListedDecisions> lists;
    for (const Trial *trial : trials) {
        Result<ListedDecisions> list = ListedDecisions::parse(trial->decisions);
        if (!list) return list.error();
        lists.push_back(std::move(list).value());
    }
    return lists;
}

// Takes from the front of what is sorted by cost; now and then from anywhere. What the model can't
// tell from another, or from what is measured, is most often the same code, and left out.
std::vector<PricedList> epsilon_greedy(Evolution evolution, size_t count, Random &random) {
    std::vector<PricedList> &sorted = evolution.found;
    std::vector<PricedList> chosen;
    while (chosen.size() < count && !sorted.empty()) {
        const bool is_any = random.unit() < kEpsilon;
        const auto at =
            sorted.begin() + (is_any ? static_cast<ptrdiff_t>(random.below(sorted.size())) : 0);
        if (evolution.measured_ns.insert(at->price.cost_ns).second) chosen.push_back(*at);
        sorted.erase(at);
    }
    return chosen;
}

// The search in one session.
class EvolutionarySearch {
public:
    EvolutionarySearch(Session &session, ListedDecisions origin, uint64_t seed)
        : session_(session),
          origin_(std::move(origin)),
          random_(Hasher(seed).add("evolutionary").value()) {}

    // Returns how many schedules were measured; 0: there are no others. No models: nothing has been
    // learned, and the session's own is asked.
    Result<size_t> round(int most, std::span<const SessionModel> models) {
        const auto count = static_cast<size_t>(session_.trials_left(most));
        return models.empty() ? try_untaught(count) : try_taught(count, models);
    }

private:
    // All return how many were measured.

    Result<size_t> try_untaught(size_t count) {
        const auto begun = new_lists(session_, {&origin_, 1}, tried_);  // it is measured already
        if (!begun) return begun.error();
        const auto draws = static_cast<size_t>(kUntaughtShare * static_cast<double>(count));
        const Result<size_t> drawn =
            attempt(random_lists(session_, origin_, draws, random_, tried_));
        if (!drawn) return drawn.error();
        const Result<size_t> others = attempt(evolved(count - *drawn, 1));
        if (!others) return others.error();
        return *drawn + *others;
    }

    // Each member knows what those before it have chosen, for that is measured by then.
    Result<size_t> try_taught(size_t count, std::span<const SessionModel> models) {
        const auto climbing = static_cast<size_t>(kClimbingShare * static_cast<double>(count));
        const Result<size_t> mutants = attempt(mutants_of_fastest(climbing));
        if (!mutants) return mutants.error();
        size_t tried = *mutants;
        const size_t evolving = count - tried;
        for (size_t m = 0; m < models.size() && !session_.is_over(); ++m) {
            session_.use_model(models[m]);
            const size_t all = *mutants + evolving * (m + 1) / models.size();  // with this member's
            const Result<size_t> own = attempt(evolved(all - std::min(all, tried), models.size()));
            if (!own) return own.error();
            tried += *own;
        }
        return tried;
    }

    Result<size_t> attempt(const Result<std::vector<PricedList>> &chosen) {
        if (!chosen) return chosen.error();
        const Result<std::vector<size_t>> trials = attempt_lists(session_, *chosen);
        if (!trials) return trials.error();
        return trials->size();
    }

    // The faster a schedule, the more often one of its mutants is taken. Fewer where they lead
    // nowhere, or to what was tried or has the same cost.
    Result<std::vector<PricedList>> mutants_of_fastest(size_t count) {
        const Result<std::vector<ListedDecisions>> measured = measured_lists(session_);
        if (!measured) return measured.error();
        const size_t fastest = std::min(kFastest, measured->size());
        std::vector<ListedDecisions> lists(measured->begin(),
                                           measured->begin() + static_cast<ptrdiff_t>(fastest));
        for (size_t i = 0; i < kMutantsPerTrial * count && fastest > 0; ++i) {
            const size_t rank = std::min(random_.below(fastest), random_.below(fastest));
            if (auto mutant = mutated((*measured)[rank], random_))
                lists.push_back(*std::move(mutant));
        }
        const auto all = priced(session_, lists);
        if (!all) return all.error();
        std::vector<PricedList> chosen;
        std::set<double> costs;
        for (size_t i = 0; i < all->size() && chosen.size() < count; ++i) {
            const std::optional<PricedList> &one = (*all)[i];
            if (!one || !costs.insert(one->price.cost_ns).second || i < fastest) continue;
            if (tried_.insert(one->price.schedule).second) chosen.push_back(*one);
        }
        return chosen;
    }

    // What the session's model chooses, of that part of the chains.
    Result<std::vector<PricedList>> evolved(size_t count, size_t parts) {
        if (count == 0) return std::vector<PricedList>();
        const Result<std::vector<ListedDecisions>> measured = measured_lists(session_);
        if (!measured) return measured.error();
        EvolutionSettings settings =
            fitted({}, session_.parts().budget, origin_, parts * measured->size());
        settings.population = (settings.population + parts - 1) / parts;
        const Result<Evolution> evolution =
            evolve(session_, settings, *measured, origin_, tried_, random_);
        if (!evolution) return evolution.error();
        const std::vector<PricedList> chosen = epsilon_greedy(*evolution, count, random_);
        for (const PricedList &one : chosen) tried_.insert(one.price.schedule);
        session_.parts().journal.announce({{"event", "evolved"},
                                           {"mutants", evolution->proposed},
                                           {"refused", evolution->refused},
                                           {"accepted", evolution->accepted},
                                           {"found", evolution->found.size()},
                                           {"chosen", chosen.size()}});
        return chosen;
    }

    Session &session_;
    ListedDecisions origin_;
    Random random_;
    ScheduleHashes tried_;
};

class Evolutionary final : public StrategyInRounds {
public:
    explicit Evolutionary(const TuneOptions &options)
        : StrategyInRounds(options, kTrialsTogether),
          seed_(options.seed),
          retraining_(options.retraining) {}

    std::string_view name() const override { return "evolutionary"; }
    StartsFrom starts_from() const override { return StartsFrom::best_known; }
    // How many lists of decisions are priced is fitted to the time (evolution.h).
    bool goes_by(const Budget &budget) const override { return budget.seconds.has_value(); }

    void add_settings_to(Hasher &hasher) const override {
        StrategyInRounds::add_settings_to(hasher);
        if (retraining_.weights) hasher.add(retraining_.weights->name);
    }

    Result<std::vector<size_t>> run(Session &session) const override {
        const Result<ListedDecisions> origin = origin_of(session);
        if (!origin) return end_strategy(session, name(), origin.error().message);
        EvolutionarySearch search(session, *origin, seed_);
        std::vector<SessionModel> models;
        for (int i = 0; i < rounds().count && !session.is_over(); ++i) {
            if (i > 0) {
                auto taught = retrain_ensemble(session, retraining_, i - 1, kMembers);
                if (!taught) return taught.error();
                models = std::move(taught).value();
            }
            const Result<size_t> measured = search.round(rounds().batch, models);
            if (!measured) return measured.error();
            if (*measured == 0)
                return end_strategy(session, name(), "no further schedule is found");
        }
        return end_strategy(session, name(), "as many trials as are asked for");
    }

private:
    uint64_t seed_;
    RetrainingSettings retraining_;
};

}  // namespace

std::shared_ptr<const TuneStrategy> make_evolutionary(const TuneOptions &options) {
    return std::make_shared<Evolutionary>(options);
}

}  // namespace autoschedule_gpu
