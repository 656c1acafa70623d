#include "scheduler/strategies/last_descent.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/support/parallel.h"
#include "scheduler/decisions/decisions_of_state.h"
#include "scheduler/decisions/follower.h"
#include "scheduler/decisions/single_changes.h"
#include "scheduler/search/launch_costs.h"
#include "scheduler/search/search_costs.h"
#include "scheduler/search/work_ahead.h"

namespace autoschedule_gpu {

namespace {

// A change that gains less than this of the whole is none.
constexpr double kLeastGain = 0.003;
// Kernels that take less of the whole than this are left alone.
constexpr double kLeastShare = 0.02;
// What was changed may make other changes worth their while.
constexpr int kMostRounds = 4;
// Of a pipeline of so many stages that a round would make more steps than this, those changes are
// left out whose kernels cost least.
constexpr size_t kMostSteps = 100'000;

// A list of decisions, as it is and with other values, at what it costs.
class Pricing {
public:
    Pricing(std::unique_ptr<const Follower> follower, const CostModel &model,
            SearchContext &context, ThreadPool &pool)
        : follower_(std::move(follower)),
          model_(model),
          clock_(context.clock),
          costs_(follower_->space(), model, pool, clock_, context.options.memo,
                 context.options.limits.memo_bytes) {}

    const Follower &follower() const { return *follower_; }

    // May be called from any thread. Nothing: it is refused.
    std::optional<State> priced(const DecisionList &list, SearchClock &clock) const {
        Result<State> state = follower_->follow(list);
        if (!state) return std::nullopt;
        SearchCosts costs(costs_, clock);
        State result = with_costs_of_launches(*follower_->dag(), follower_->space().gpu(), model_,
                                              with_costs(costs, std::move(state).value()));
        result.id = result.nest.hash();
        return result;
    }

private:
    const std::unique_ptr<const Follower> follower_;
    const CostModel &model_;
    SearchClock &clock_;
    SearchCosts costs_;
};

class Descent {
public:
    Descent(const SearchProblem &problem, SearchContext &context)
        : problem_(problem), context_(context), pool_(context.options.limits.threads) {}

    CompleteState from(CompleteState now) {
        for (int round = 0; round < kMostRounds && !context_.clock.is_up(); ++round) {
            std::optional<CompleteState> better = improved(now);
            if (!better) break;
            now = *std::move(better);
        }
        return now;
    }

private:
    struct Priced {
        SingleChange change;
        double share = 0;                 // of the whole, of the kernels that the change is about
        std::optional<double> cost = {};  // none: it is refused
        SearchClock clock;
    };

    // With all changes that gain, the best first, each if there is something left for it to gain.
    std::optional<CompleteState> improved(const CompleteState &now) {
        const SearchSpace &space = problem_.space;
        const Result<DecisionList> as_found = decisions_of_state(
            *now.dag, now.state, space.gpu(), space.rules(), now.freedom, kNoHash);
        if (!as_found) return std::nullopt;
        auto follower = Follower::create(*as_found, space.dag(), space.gpu(), space.rules());
        if (!follower) return std::nullopt;
        const Pricing pricing(std::move(follower).value(), *problem_.models.model, context_, pool_);
        std::vector<Priced> gainful = cheapest_first(pricing);
        std::erase_if(gainful,
                      [&](const Priced &one) { return !gains(*one.cost, now.state.cost); });
        std::optional<State> best = all_that_gain(pricing, *as_found, gainful, now.state.cost);
        if (!best) return std::nullopt;
        return CompleteState{pricing.follower().dag(), *std::move(best), now.freedom};
    }

    // Each on top of those before it that were worth their while.
    std::optional<State> all_that_gain(const Pricing &pricing, DecisionList list,
                                       std::span<const Priced> changes, double cost) {
        struct Made {
            std::optional<State> state;
            SearchClock clock;
        };
        std::optional<State> best;
        const auto gains_now = [&](const Made &made) {
            return made.state && gains(made.state->cost, best ? best->cost : cost);
        };
        work_ahead(
            pool_, changes.size(), static_cast<size_t>(pool_.threads()),
            [&](size_t i, size_t) {
                Made made{{}, context_.clock.apart()};
                made.state = pricing.priced(changed(list, changes[i].change), made.clock);
                return made;
            },
            gains_now,
            [&](size_t i, Made made) {
                if (is_out_of_time(context_.clock)) return GoOn::not_at_all;
                context_.clock.add(made.clock);
                if (!gains_now(made)) return GoOn::with_next;
                list = changed(list, changes[i].change);
                best = std::move(made.state);
                return GoOn::with_redone;
            });
        return best;
    }

    // Effort that is spent cuts off no round that has begun: only the time does.
    static bool is_out_of_time(SearchClock &clock) { return clock.left_s() < 0 && clock.is_up(); }

    static bool gains(double cost, double before) { return cost < (1 - kLeastGain) * before; }

    std::vector<Priced> cheapest_first(const Pricing &pricing) {
        std::vector<Priced> all = worthwhile(pricing);
        const DecisionList &list = pricing.follower().list();
        pool_.for_each(all.size(), [&](size_t i) {
            if (is_out_of_time(all[i].clock)) return;
            const auto state = pricing.priced(changed(list, all[i].change), all[i].clock);
            if (state) all[i].cost = state->cost;
        });
        for (const Priced &one : all) context_.clock.add(one.clock);
        std::erase_if(all, [](const Priced &one) { return !one.cost; });
        std::ranges::stable_sort(all, {}, [](const Priced &one) { return *one.cost; });
        return all;
    }

    // Of kernels that cost a share of the whole, the dearest first, as many as there is time for.
    std::vector<Priced> worthwhile(const Pricing &pricing) {
        const Follower &follower = pricing.follower();
        const std::optional<State> now = pricing.priced(follower.list(), context_.clock);
        std::vector<Priced> result;
        if (!now) return result;
        for (SingleChange &change : single_changes(follower.list())) {
            if (stays(follower.list().decisions[change.decision].kind)) continue;
            const double share = share_of(follower, *now, follower.func(change.decision));
            if (share < kLeastShare) continue;
            result.push_back({std::move(change), share, {}, context_.clock.apart()});
        }
        std::ranges::stable_sort(result, std::greater(), &Priced::share);
        const size_t most = kMostSteps / follower.space().steps().size();
        if (result.size() > most) result.erase(result.begin() + most, result.end());
        return result;
    }

    // Of the kernels that compute a Func; of what is inlined, those that read it.
    static double share_of(const Follower &follower, const State &state, FuncId func) {
        const Dag &dag = *follower.dag();
        std::set<size_t> kernels;
        for (const StageId stage : dag.func(func).stages) {
            const int32_t home = state.home[stage.index()];
            if (home >= 0) kernels.insert(static_cast<size_t>(home));
        }
        if (kernels.empty()) {
            const std::vector<size_t> readers = consumer_kernels(dag, state, func);
            kernels.insert(readers.begin(), readers.end());
        }
        double cost = 0;
        for (const size_t kernel : kernels) cost += state.kernel_costs[kernel];
        return cost / state.cost;
    }

    bool stays(std::string_view kind) const {
        return kind == decision_kind::storage || !context_.options.decides(kind);
    }

    static constexpr uint64_t kNoHash = 0;  // of the pipeline: the list is not kept

    const SearchProblem &problem_;
    SearchContext &context_;
    ThreadPool pool_;
};

}  // namespace

CompleteState last_descent(const SearchProblem &problem, SearchContext &context,
                           CompleteState found, SearchReport &report) {
    RunningPart part(report, "last_descent", found.state.cost);
    found = Descent(problem, context).from(std::move(found));
    part.done(found.state.cost);
    return found;
}

}  // namespace autoschedule_gpu
