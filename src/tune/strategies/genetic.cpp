// The genetic search of Halide's first autotuner (Ragan-Kelley et al. 2013, section 5), over lists
// of decisions:
//
//     generation ─► every individual is run, and compared with the reference
//        ▲                          │ its time is its fitness
//        │   elites, crossover of parents from tournaments, mutants (func_rules.h), random ones
//        └── what leads to no schedule, or to one that was tried, is drawn again ◄──┘
//
// The first generation is the default schedule, all at root, and reasonable and random ones, with
// equal probability, as the random ones of later generations are. The paper does not say how many
// there are of each; the shares below are our own, as is the size of a tournament.
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/support/random.h"
#include "tune/strategies/func_rules.h"
#include "tune/strategies/priced_lists.h"
#include "tune/strategies/rounds.h"
#include "tune/strategies/shipped.h"

namespace autoschedule_gpu {
namespace {

constexpr int kPopulation = 128;
constexpr double kElites = 0.1, kCrossed = 0.4, kMutated = 0.4;  // the others: random
constexpr size_t kTournament = 4;
constexpr size_t kMostDraws = 8;     // of all, until there are enough that lead to schedules
constexpr size_t kFewestDrawn = 32;  // by then: of few offspring, more draws may lead nowhere

struct Individual {
    ListedDecisions list = {};
    double ms = std::numeric_limits<double>::infinity();  // it did not run
};

// How many were drawn of a kind in a generation, for the journal.
enum DrawnBy : uint8_t { crossing, mutation, chance };
struct Drawn {
    ListedDecisions list = {};
    DrawnBy drawn_by = chance;
};

class Population {
public:
    Population(Session &session, ListedDecisions origin, size_t size, uint64_t seed)
        : session_(session),
          origin_(std::move(origin)),
          size_(size),
          random_(Hasher(seed).add("genetic").value()) {}

    // Returns how many individuals were tried; 0: there are no others.
    Result<size_t> next_generation() {
        const auto elites =
            std::max<size_t>(1, static_cast<size_t>(kElites * static_cast<double>(size_)));
        std::vector<Individual> next(
            individuals_.begin(),
            individuals_.begin() + static_cast<ptrdiff_t>(std::min(elites, individuals_.size())));
        // An elite that fills the population, as of one individual, has a child all the same.
        const Result<std::vector<PricedList>> offspring =
            draw_offspring(std::max<size_t>(1, size_ - next.size()));
        if (!offspring) return offspring.error();
        const Result<std::vector<size_t>> trials = attempt_lists(session_, *offspring);
        if (!trials) return trials.error();
        for (size_t i = 0; i < trials->size(); ++i) {
            Result<Individual> one = individual((*offspring)[i].list, (*trials)[i]);
            if (!one) return one.error();
            next.push_back(std::move(one).value());
        }
        std::ranges::stable_sort(next, {}, &Individual::ms);
        individuals_ = std::move(next);
        return trials->size();
    }

private:
    // With all that there is to decide, where it has run.
    Result<Individual> individual(const ListedDecisions &drawn, size_t index) const {
        const Trial &trial = session_.trials()[index];
        if (!trial.is_measured()) return Individual{.list = drawn};
        if (trial.decisions.empty()) return Individual{.list = drawn, .ms = trial.median_ms()};
        Result<ListedDecisions> whole = ListedDecisions::parse(trial.decisions);
        if (!whole) return whole.error();
        return Individual{.list = std::move(whole).value(), .ms = trial.median_ms()};
    }

    Result<std::vector<PricedList>> draw_offspring(size_t count) {
        std::vector<PricedList> offspring;
        std::array<size_t, 3> drawn_of = {};
        size_t drawn = 0;
        const size_t most = std::max(kMostDraws * count, kFewestDrawn);
        while (drawn < most && offspring.size() < count && !session_.is_over()) {
            const std::vector<Drawn> draws = draws_of(count);
            std::vector<ListedDecisions> lists;
            for (const Drawn &one : draws) lists.push_back(one.list);
            const auto all = priced(session_, lists);
            if (!all) return all.error();
            for (size_t i = 0; i < draws.size() && offspring.size() < count; ++i) {
                const std::optional<PricedList> &one = (*all)[i];
                ++drawn;
                if (!one || !tried_.insert(one->price.schedule).second) continue;
                ++drawn_of[draws[i].drawn_by];
                offspring.push_back(*one);
            }
        }
        session_.parts().journal.add({{"event", "generation"},
                                      {"crossed", drawn_of[crossing]},
                                      {"mutated", drawn_of[mutation]},
                                      {"random", drawn_of[chance]},
                                      {"refused or known", drawn - offspring.size()}});
        return offspring;
    }

    std::vector<Drawn> draws_of(size_t count) {
        std::vector<Drawn> draws;
        if (individuals_.empty()) {
            draws.push_back({origin_, chance});
            draws.push_back({breadth_first(origin_), chance});
        }
        while (draws.size() < count) draws.push_back(one_draw());
        draws.resize(count);
        return draws;
    }

    Drawn one_draw() {
        const double at = random_.unit() * (1 - kElites);
        if (individuals_.empty() || at >= kCrossed + kMutated) return {random_one(), chance};
        if (at >= kCrossed) return {mutated_func(parent(), random_), mutation};
        const ListedDecisions &a = parent(), &b = parent();
        return {crossed(a, b, random_), crossing};
    }

    ListedDecisions random_one() {
        if (random_.below(2) == 0) return drawn_at_random(origin_, random_);
        return reasonable(origin_, random_.unit(), random_);
    }

    // The winner of a tournament. Individuals are sorted by time.
    const ListedDecisions &parent() {
        size_t best = random_.below(individuals_.size());
        for (size_t i = 1; i < kTournament; ++i) {
            best = std::min<size_t>(best, random_.below(individuals_.size()));
        }
        return individuals_[best].list;
    }

    Session &session_;
    ListedDecisions origin_;
    size_t size_;
    Random random_;
    ScheduleHashes tried_;
    std::vector<Individual> individuals_;  // the fastest first
};

class Genetic final : public StrategyInRounds {
public:
    explicit Genetic(const TuneOptions &options)
        : StrategyInRounds(options, kPopulation), seed_(options.seed) {}

    std::string_view name() const override { return "genetic"; }
    StartsFrom starts_from() const override { return StartsFrom::own_draws; }

    Result<std::vector<size_t>> run(Session &session) const override {
        const Result<ListedDecisions> origin = origin_of(session);
        if (!origin) return end_strategy(session, name(), origin.error().message);
        Population population(session, *origin, static_cast<size_t>(rounds().batch), seed_);
        for (int i = 0; i < rounds().count && !session.is_over(); ++i) {
            const Result<size_t> tried = population.next_generation();
            if (!tried) return tried.error();
            if (*tried == 0) return end_strategy(session, name(), "no further schedule is found");
        }
        return end_strategy(session, name(), "as many generations as are asked for");
    }

private:
    uint64_t seed_;
};

}  // namespace

std::shared_ptr<const TuneStrategy> make_genetic(const TuneOptions &options) {
    return std::make_shared<Genetic>(options);
}

}  // namespace autoschedule_gpu
