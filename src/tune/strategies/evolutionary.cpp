// Learning-driven evolutionary search (Shao et al. 2022, section 4), round by round:
//
//     evolve under the model (evolution.h) ─► of what it found, the cheapest are measured, and a
//     few
//        ▲                                    others (epsilon-greedy)
//        └── the model is retrained on all that was measured (retraining.h) ◄──┘
//
// Until there is enough to train on, the model is the one that the run began with.
#include <algorithm>
#include <utility>

#include "core/support/random.h"
#include "tune/strategies/evolution.h"
#include "tune/strategies/retraining.h"
#include "tune/strategies/rounds.h"
#include "tune/strategies/shipped.h"

namespace autoschedule_gpu {
namespace {

constexpr int kTrialsTogether = 64;  // MetaSchedule's trials per iteration
constexpr double kEpsilon = 0.05;    // of what is measured, whatever the model says of it

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

// Takes from the front of what is sorted by cost; now and then from anywhere.
std::vector<PricedList> epsilon_greedy(std::vector<PricedList> sorted, size_t count,
                                       Random &random) {
    std::vector<PricedList> chosen;
    while (chosen.size() < count && !sorted.empty()) {
        const bool is_any = random.unit() < kEpsilon;
        const auto at =
            sorted.begin() + (is_any ? static_cast<ptrdiff_t>(random.below(sorted.size())) : 0);
        chosen.push_back(std::move(*at));
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

    // Returns how many schedules were measured; 0: there are no others.
    Result<size_t> round(int most) {
        const Result<std::vector<ListedDecisions>> measured = measured_lists(session_);
        if (!measured) return measured.error();
        const Result<Evolution> evolution =
            evolve(session_, fitted({}, session_.parts().budget, origin_), *measured, origin_,
                   tried_, random_);
        if (!evolution) return evolution.error();
        const auto count = static_cast<size_t>(session_.trials_left(most));
        const std::vector<PricedList> chosen = epsilon_greedy(evolution->found, count, random_);
        for (const PricedList &one : chosen) tried_.insert(one.price.schedule);
        session_.parts().journal.add({{"event", "evolved"},
                                      {"mutants", evolution->proposed},
                                      {"refused", evolution->refused},
                                      {"accepted", evolution->accepted},
                                      {"found", evolution->found.size()},
                                      {"chosen", chosen.size()}});
        const Result<std::vector<size_t>> trials = attempt_lists(session_, chosen);
        if (!trials) return trials.error();
        return trials->size();
    }

private:
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

    Result<std::vector<size_t>> run(Session &session) const override {
        const Result<ListedDecisions> origin = origin_of(session);
        if (!origin) return end_strategy(session, name(), origin.error().message);
        EvolutionarySearch search(session, *origin, seed_);
        for (int i = 0; i < rounds().count && !session.is_over(); ++i) {
            if (i > 0) {
                const auto weights = retrain_on(session, retraining_, i - 1);
                if (!weights) return weights.error();
            }
            const Result<size_t> measured = search.round(rounds().batch);
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
