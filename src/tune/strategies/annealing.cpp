// Simulated annealing over measured times (Canesche et al. 2024, example 2.8, after Kirkpatrick et
// al. 1988): one of the baselines. Several chains begin at the best schedule that is known, and
// make a move each, which are compiled together:
//
//     list ─► a move ─► measured, or known ─► is it faster, or slower by less than the
//       ▲                                     │ temperature likes?
//       └─────────────────────────────────────┘ yes
//
// A move changes a decision by the least difference (neighbours.h), and, the hotter it is, further
// ones. A chain is at a list of decisions: one that leads to the schedule where the chain is, as
// the sizes of a Func do that is inlined, is moved on from like any other. What leads to no
// schedule is no move, and what leads to one that is known costs no trial (priced_lists.h).
//
// The temperature is a share of the time: at 0.2, what is slower by a fifth is accepted with a
// probability of 1/e. It falls by the same factor with every trial, over all that the strategy is
// to make; a budget of trials makes them fewer. One in time does not: a temperature by the clock
// would make other moves at every call and in a replay. So a time alone may end it while it is hot.
// Where most moves cost nothing, it falls with these: kMovesPerTrial of them are as much as a
// trial, or chains that have seen all around them would never end.
//
// AutoTVM's annealing moves by a learned cost and measures what it ends at; here a move is
// accepted by measured times, and the model has no part in it. Under a model: evolutionary.cpp.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/support/random.h"
#include "tune/strategies/neighbours.h"
#include "tune/strategies/priced_lists.h"
#include "tune/strategies/rounds.h"
#include "tune/strategies/shipped.h"

namespace autoschedule_gpu {
namespace {

constexpr size_t kChains = 4;
constexpr double kHottest = 0.2, kColdest = 0.005;
constexpr int kMovesPerTrial = 8;
// Of a chain: pricing many lists takes little longer than pricing one.
constexpr size_t kMovesTogether = 8;

// Where a chain is: a measured trial, and a list that leads to it.
struct Chain {
    size_t trial = 0;
    ListedDecisions list = {};
    Random random;
};

class Annealing {
public:
    Annealing(Session &session, uint64_t seed, size_t start, const ListedDecisions &list)
        : session_(session) {
        const Random random(Hasher(seed).add("annealing").value());
        for (uint64_t i = 0; i < kChains; ++i) chains_.push_back({start, list, random.fork(i)});
    }

    // What the session has tried by now is known.
    Status note_known() {
        std::vector<size_t> trials;
        std::vector<ListedDecisions> lists;
        for (size_t i = 0; i < session_.trials().size(); ++i) {
            const Trial &trial = session_.trials()[i];
            if (trial.is_open() || trial.decisions.empty()) continue;
            Result<ListedDecisions> list = ListedDecisions::parse(trial.decisions);
            if (!list) return list.error();
            trials.push_back(i);
            lists.push_back(std::move(list).value());
        }
        const auto all = priced(session_, lists);
        if (!all) return all.error();
        for (size_t i = 0; i < all->size(); ++i) {
            if ((*all)[i]) known_.emplace((*all)[i]->price.schedule, trials[i]);
        }
        return Ok{};
    }

    // Moves of each chain, up to one that is accepted or leads to what is not known; so many of the
    // latter may be trials. Returns how many moves were looked at.
    Result<size_t> step(double temperature, size_t most) {
        std::vector<ListedDecisions> lists;
        for (Chain &chain : chains_) {
            for (size_t m = 0; m < kMovesTogether; ++m) {
                lists.push_back(moved(chain, temperature));
            }
        }
        const auto moves = priced(session_, lists);
        if (!moves) return moves.error();
        size_t looked_at = 0;
        std::vector<Unknown> unknown;
        for (size_t c = 0; c < chains_.size(); ++c) {
            const auto of_chain = std::span(*moves).subspan(c * kMovesTogether, kMovesTogether);
            const auto made = move_on(chains_[c], of_chain, temperature, unknown);
            if (!made) return made.error();
            looked_at += *made;
        }
        if (Status tried = try_unknown(unknown, most); !tried) return tried.error();
        for (const Unknown &one : unknown) {
            const auto found = known_.find(one.move.price.schedule);
            if (found == known_.end()) continue;  // there was no trial left for it
            if (!accepts(*one.chain, found->second, temperature)) continue;
            if (Status gone = go(*one.chain, one.move.list, found->second); !gone) {
                return gone.error();
            }
        }
        return looked_at;
    }

private:
    // A move to a schedule that was not tried yet.
    struct Unknown {
        Chain *chain = nullptr;
        PricedList move;
    };

    // Makes the first of the moves that is accepted, unless one comes before that is not known.
    // Returns how many it has looked at.
    Result<size_t> move_on(Chain &chain, std::span<const std::optional<PricedList>> moves,
                           double temperature, std::vector<Unknown> &unknown) {
        size_t looked_at = 0;
        for (const std::optional<PricedList> &move : moves) {
            ++looked_at;
            if (!move) continue;
            const auto found = known_.find(move->price.schedule);
            if (found == known_.end()) {
                unknown.push_back({&chain, *move});
                break;
            }
            if (!accepts(chain, found->second, temperature)) continue;
            if (Status gone = go(chain, move->list, found->second); !gone) return gone.error();
            break;
        }
        return looked_at;
    }

    static ListedDecisions moved(Chain &chain, double temperature) {
        ListedDecisions list = chain.list;
        std::vector<size_t> open;
        for (size_t i = 0; i < list.decisions().size(); ++i) {
            if (list.decisions()[i].is_open()) open.push_back(i);
        }
        if (open.empty()) return list;
        do {
            const size_t decision = open[chain.random.below(open.size())];
            const std::vector<size_t> beside = choices_beside(list.decisions()[decision]);
            list.choose(decision, beside[chain.random.below(beside.size())]);
        } while (chain.random.unit() < temperature / kHottest / 2);
        return list;
    }

    // Each schedule once, though several chains move there.
    Status try_unknown(const std::vector<Unknown> &unknown, size_t most) {
        std::vector<PricedList> lists;
        ScheduleHashes seen;
        for (const Unknown &one : unknown) {
            if (seen.insert(one.move.price.schedule).second) lists.push_back(one.move);
        }
        lists.resize(std::min(lists.size(), most));
        const Result<std::vector<size_t>> trials = attempt_lists(session_, lists);
        if (!trials) return trials.error();
        for (size_t i = 0; i < trials->size(); ++i) {
            known_.emplace(lists[i].price.schedule, (*trials)[i]);
        }
        return Ok{};
    }

    // Metropolis, over logarithms of times. What has no time, or no list to go on from, never.
    bool accepts(Chain &chain, size_t trial, double temperature) const {
        const Trial &now = session_.trials()[chain.trial], &next = session_.trials()[trial];
        const double chance = chain.random.unit();
        if (!next.is_measured() || next.decisions.empty()) return false;
        return chance < std::exp(std::log(now.median_ms() / next.median_ms()) / temperature);
    }

    // The trial's own list has all that there is to decide at another schedule, the one that was
    // moved to what a move has changed in vain so far.
    Status go(Chain &chain, const ListedDecisions &list, size_t trial) const {
        if (trial == chain.trial) {
            chain.list = list;
            return Ok{};
        }
        Result<ListedDecisions> whole = ListedDecisions::parse(session_.trials()[trial].decisions);
        if (!whole) return whole.error();
        chain.trial = trial;
        chain.list = std::move(whole).value();
        return Ok{};
    }

    Session &session_;
    std::vector<Chain> chains_;
    std::map<uint64_t, size_t> known_;  // trials by schedule
};

// How far an annealing has come.
class Progress {
public:
    Progress(const Session &session, int trials)
        : session_(session), begun_at_(session.state().trials), trials_(std::max(1, trials)) {}

    void count_moves(size_t moves) { moves_ += static_cast<double>(moves); }
    size_t trials_left() const { return static_cast<size_t>(std::max(0, trials_ - made())); }
    // Of all of it, done: 1 at its end.
    double share() const { return std::max<double>(made(), moves_ / kMovesPerTrial) / trials_; }

private:
    int made() const { return session_.state().trials - begun_at_; }

    const Session &session_;
    int begun_at_, trials_;
    double moves_ = 0;
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
        const auto list = ListedDecisions::parse(session.trials()[*start].decisions);
        if (!list) return list.error();
        if (std::ranges::none_of(list->decisions(), &ListedDecision::is_open)) {
            return end_strategy(session, name(), "no decision of the schedule can be changed");
        }
        Annealing annealing(session, seed_, *start, *list);
        if (Status noted = annealing.note_known(); !noted) return noted.error();
        Progress progress(session, session.trials_left(rounds().trials()));
        while (progress.share() < 1 && !session.is_over()) {
            const double temperature = kHottest * std::pow(kColdest / kHottest, progress.share());
            const Result<size_t> moves = annealing.step(temperature, progress.trials_left());
            if (!moves) return moves.error();
            progress.count_moves(*moves);
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
