// The genetic search of Halide's first autotuner (Ragan-Kelley et al. 2013, section 5), over lists
// of decisions:
//
//     generation ─► every individual is run, and compared with the reference
//        ▲                          │ its time is its fitness
//        │   elites, crossover of parents from tournaments, mutants (func_rules.h), random ones
//        └── what leads to no schedule, or to one that was tried, is drawn again ◄──┘
//
// The first generation is the default schedule, whose time is known, all at root, and reasonable
// and random ones, with equal probability, as the random ones of later generations are. The paper
// does not say how many there are of each; the shares below are our own, as is the size of a
// tournament. What is drawn again is of the same kind as what was refused: else the kinds that are
// refused most often would be fewer than their shares.
#include <algorithm>
#include <array>
#include <iterator>
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
constexpr size_t kMostDraws = 8;      // of a kind, for each that there is to be
constexpr size_t kFewestDrawn = 32;   // by then: of few offspring, more draws may lead nowhere
constexpr size_t kDrawnTogether = 8;  // at least: pricing many takes little longer than pricing one

struct Individual {
    ListedDecisions list = {};
    double ms = std::numeric_limits<double>::infinity();  // it did not run
};

// Of the list that led to a trial: with all that there is to decide, where that has run.
Result<Individual> individual_of(const Session &session, const ListedDecisions &list,
                                 size_t index) {
    const Trial &trial = session.trials()[index];
    if (!trial.is_measured()) return Individual{.list = list};
    if (trial.decisions.empty()) return Individual{.list = list, .ms = trial.median_ms()};
    Result<ListedDecisions> whole = ListedDecisions::parse(trial.decisions);
    if (!whole) return whole.error();
    return Individual{.list = std::move(whole).value(), .ms = trial.median_ms()};
}

// How an individual is made. Of `chance` are those with all decisions at random: their draws go on
// until there is a schedule (random_lists), so they fill what the other kinds leave empty.
enum Kind : uint8_t { crossing, mutation, reason, chance };
constexpr std::array kKinds = {crossing, mutation, reason, chance};
using MadeOfKinds = std::array<std::vector<PricedList>, kKinds.size()>;

// In the order of the kinds that were wanted, for a budget may end within a generation: what is
// tried by then has the shares of all. Those that fill what another kind left empty come last.
std::vector<PricedList> in_order(const std::vector<Kind> &wanted, const MadeOfKinds &made) {
    std::vector<PricedList> ordered;
    std::array<size_t, kKinds.size()> taken = {};
    const auto take_next = [&](Kind kind) {
        if (taken[kind] < made[kind].size()) ordered.push_back(made[kind][taken[kind]++]);
    };
    for (const Kind kind : wanted) take_next(kind);
    for (const Kind kind : kKinds) {
        while (taken[kind] < made[kind].size()) take_next(kind);
    }
    return ordered;
}

class Population {
public:
    // `origin`: the list of a trial, which is an individual of the first generation.
    Population(Session &session, Individual origin, size_t size, uint64_t seed)
        : session_(session),
          origin_(origin.list),
          size_(size),
          random_(Hasher(seed).add("genetic").value()),
          individuals_{std::move(origin)} {}

    // Both return how many individuals were tried; 0: there are no others.

    Result<size_t> first_generation() {
        const auto known = new_lists(session_, {&origin_, 1}, tried_);
        if (!known) return known.error();
        const ListedDecisions flat = breadth_first(origin_);
        Result<std::vector<PricedList>> offspring = new_lists(session_, {&flat, 1}, tried_);
        if (!offspring) return offspring.error();
        std::vector<Kind> wanted;
        const size_t count = offspring_beside(individuals_.size());
        for (size_t i = offspring->size(); i < count; ++i) wanted.push_back(random_kind());
        return try_generation(individuals_, std::move(offspring).value(), wanted);
    }

    Result<size_t> next_generation() {
        const auto elites =
            std::max<size_t>(1, static_cast<size_t>(kElites * static_cast<double>(size_)));
        const size_t kept = std::min(elites, individuals_.size());
        std::vector<Kind> wanted;
        for (size_t i = 0; i < offspring_beside(kept); ++i) wanted.push_back(any_kind());
        const auto end = individuals_.begin() + static_cast<ptrdiff_t>(kept);
        return try_generation({individuals_.begin(), end}, {}, wanted);
    }

private:
    // An individual that is kept and fills the population, as of one, has a child all the same.
    size_t offspring_beside(size_t kept) const { return size_ > kept ? size_ - kept : 1; }

    // The kept ones and those that are tried: `offspring`, and one of each kind that is wanted.
    Result<size_t> try_generation(std::vector<Individual> next, std::vector<PricedList> offspring,
                                  const std::vector<Kind> &wanted) {
        if (Status drawn = draw_offspring(wanted, offspring); !drawn) return drawn.error();
        const Result<std::vector<size_t>> trials = attempt_lists(session_, offspring);
        if (!trials) return trials.error();
        for (size_t i = 0; i < trials->size(); ++i) {
            Result<Individual> one = individual_of(session_, offspring[i].list, (*trials)[i]);
            if (!one) return one.error();
            next.push_back(std::move(one).value());
        }
        std::ranges::stable_sort(next, {}, &Individual::ms);
        individuals_ = std::move(next);
        return trials->size();
    }

    // Where draws of a kind lead to fewer schedules than there are to be, the next kind has more.
    Status draw_offspring(const std::vector<Kind> &wanted, std::vector<PricedList> &offspring) {
        MadeOfKinds made;
        size_t missing = 0;
        refused_ = 0;
        for (const Kind kind : kKinds) {
            const size_t count = static_cast<size_t>(std::ranges::count(wanted, kind)) + missing;
            auto drawn = kind == chance ? random_lists(session_, origin_, count, random_, tried_)
                                        : drawn_of(kind, count);
            if (!drawn) return drawn.error();
            made[kind] = std::move(drawn).value();
            missing = count - made[kind].size();
        }
        const size_t at_root = offspring.size();  // of the first generation, random like the others
        session_.parts().journal.announce(
            {{"event", "generation"},
             {"crossed", made[crossing].size()},
             {"mutated", made[mutation].size()},
             {"random", at_root + made[reason].size() + made[chance].size()},
             {"refused or known", refused_}});
        std::ranges::move(in_order(wanted, made), std::back_inserter(offspring));
        return Ok{};
    }

    // So many that lead to schedules which were not tried, or fewer where most draws do not.
    Result<std::vector<PricedList>> drawn_of(Kind kind, size_t count) {
        std::vector<PricedList> found;
        const size_t most = std::max(kMostDraws * count, kFewestDrawn);
        for (size_t drawn = 0; drawn < most && found.size() < count && !session_.is_over();) {
            std::vector<ListedDecisions> lists;
            for (size_t i = 0; i < std::max(count, kDrawnTogether); ++i) {
                lists.push_back(draw(kind));
            }
            const auto all = priced(session_, lists);
            if (!all) return all.error();
            for (size_t i = 0; i < all->size() && found.size() < count; ++i, ++drawn) {
                const std::optional<PricedList> &one = (*all)[i];
                if (one && tried_.insert(one->price.schedule).second) {
                    found.push_back(*one);
                } else {
                    ++refused_;
                }
            }
        }
        return found;
    }

    ListedDecisions draw(Kind kind) {
        if (kind == mutation) return mutated_func(parent(), random_);
        if (kind == reason) return reasonable(origin_, random_.unit(), random_);
        const ListedDecisions &a = parent(), &b = parent();
        return crossed(a, b, random_);
    }

    Kind any_kind() {
        const double at = random_.unit() * (1 - kElites);
        if (at >= kCrossed + kMutated) return random_kind();
        // Of a single Func, children are what their parents are.
        return at < kCrossed && origin_.funcs().size() > 1 ? crossing : mutation;
    }

    Kind random_kind() { return random_.below(2) == 0 ? chance : reason; }

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
    size_t refused_ = 0;                   // draws of a generation
    std::vector<Individual> individuals_;  // the fastest first
};

class Genetic final : public StrategyInRounds {
public:
    explicit Genetic(const TuneOptions &options)
        : StrategyInRounds(options, kPopulation), seed_(options.seed) {}

    std::string_view name() const override { return "genetic"; }
    StartsFrom starts_from() const override { return StartsFrom::own_draws; }

    Result<std::vector<size_t>> run(Session &session) const override {
        const Result<size_t> origin = origin_trial(session);
        if (!origin) return end_strategy(session, name(), origin.error().message);
        const auto list = ListedDecisions::parse(session.trials()[*origin].decisions);
        if (!list) return list.error();
        Result<Individual> first = individual_of(session, *list, *origin);
        if (!first) return first.error();
        Population population(session, std::move(first).value(),
                              static_cast<size_t>(rounds().batch), seed_);
        for (int i = 0; i < rounds().count && !session.is_over(); ++i) {
            const Result<size_t> tried =
                i == 0 ? population.first_generation() : population.next_generation();
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
