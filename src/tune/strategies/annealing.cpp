// Simulated annealing over measured times (Canesche et al. 2024, example 2.8, after Kirkpatrick et
// al. 1988): one of the baselines. Several chains begin at the best schedule that is known, and
// make a move each, which are compiled together:
//
//     schedule ─► a move ─► measured ─► is it faster, or slower by less than the temperature likes?
//        ▲                                    │ yes
//        └────────────────────────────────────┘
//
// A move changes a decision by the least difference (neighbours.h), and, the hotter it is, further
// ones. The temperature is a share of the time: at 0.2, what is slower by a fifth is accepted with
// a probability of 1/e. It falls by the same factor with every move, over all that the strategy is
// to make; a budget of trials makes them fewer. One in time does not: a temperature by the clock
// would make other moves at every call and in a replay. So a time alone may end it while it is hot.
//
// AutoTVM's annealing moves by a learned cost and measures what it ends at; here every move is
// measured, and the model has no part in it. Under a model: evolutionary.cpp.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/support/random.h"
#include "tune/strategies/attempt_all.h"
#include "tune/strategies/neighbours.h"
#include "tune/strategies/rounds.h"
#include "tune/strategies/shipped.h"

namespace autoschedule_gpu {
namespace {

constexpr int kChains = 4;
constexpr double kHottest = 0.2, kColdest = 0.005;

// Where a chain is: a measured trial with a list.
struct Chain {
    size_t trial = 0;
    Random random;
};

class Annealing {
public:
    Annealing(Session &session, uint64_t seed, size_t start) : session_(session) {
        const Random random(Hasher(seed).add("annealing").value());
        for (uint64_t i = 0; i < kChains; ++i) chains_.push_back({start, random.fork(i)});
    }

    // A move of each chain.
    Status step(double temperature) {
        std::vector<ScheduleRequest> requests;
        for (Chain &chain : chains_) {
            const Result<ScheduleRequest> request = move(chain, temperature);
            if (!request) return request.error();
            requests.push_back(*request);
        }
        const Result<std::vector<size_t>> moved = attempt_all(session_, requests);
        if (!moved) return moved.error();
        for (size_t i = 0; i < moved->size(); ++i) {
            if (accepts(chains_[i], (*moved)[i], temperature)) chains_[i].trial = (*moved)[i];
        }
        return Ok{};
    }

private:
    Result<ScheduleRequest> move(Chain &chain, double temperature) const {
        Result<ListedDecisions> parsed =
            ListedDecisions::parse(session_.trials()[chain.trial].decisions);
        if (!parsed) return parsed.error();
        ListedDecisions list = std::move(parsed).value();
        std::vector<size_t> open;
        for (size_t i = 0; i < list.decisions().size(); ++i) {
            if (list.decisions()[i].is_open()) open.push_back(i);
        }
        if (open.empty()) return Error{"no decision of the schedule can be changed"};
        do {
            const size_t decision = open[chain.random.below(open.size())];
            const std::vector<size_t> beside = choices_beside(list.decisions()[decision]);
            list.choose(decision, beside[chain.random.below(beside.size())]);
        } while (chain.random.unit() < temperature / kHottest / 2);
        return request_of_decisions(list.json());
    }

    // Metropolis, over logarithms of times. What has no time, or no list to go on from, never.
    bool accepts(Chain &chain, size_t moved, double temperature) const {
        const Trial &now = session_.trials()[chain.trial], &next = session_.trials()[moved];
        const double chance = chain.random.unit();
        if (!next.is_measured() || next.decisions.empty()) return false;
        return chance < std::exp(std::log(now.median_ms() / next.median_ms()) / temperature);
    }

    Session &session_;
    std::vector<Chain> chains_;
};

class AnnealingStrategy final : public StrategyInRounds {
public:
    explicit AnnealingStrategy(const TuneOptions &options)
        : StrategyInRounds(options, kBatch), seed_(options.seed) {}

    std::string_view name() const override { return "annealing"; }
    StartsFrom starts_from() const override { return StartsFrom::best_known; }
    // It cools down over all of its trials.
    bool goes_by(const Budget &) const override { return true; }

    Result<std::vector<size_t>> run(Session &session) const override {
        const std::optional<size_t> start =
            session.best([](const Trial &trial) { return !trial.decisions.empty(); });
        if (!start) return end_strategy(session, name(), "no measured schedule has a list");
        Annealing annealing(session, seed_, *start);
        // The last step has fewer trials where they are no multiple of the chains.
        const int trials = session.trials_left(rounds().trials());
        const int steps = std::max(1, (trials + kChains - 1) / kChains);
        for (int i = 0; i < steps && !session.is_over(); ++i) {
            const double temperature =
                kHottest * std::pow(kColdest / kHottest, static_cast<double>(i) / steps);
            if (Status made = annealing.step(temperature); !made) return made.error();
        }
        return end_strategy(session, name(), "it is cold");
    }

private:
    static constexpr int kBatch = 64;

    uint64_t seed_;
};

}  // namespace

std::shared_ptr<const TuneStrategy> make_annealing(const TuneOptions &options) {
    return std::make_shared<AnnealingStrategy>(options);
}

}  // namespace autoschedule_gpu
