#include "scheduler/search/beam_search.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "scheduler/search/freeze.h"
#include "scheduler/search/improve_members.h"
#include "scheduler/search/improve_tilings.h"
#include "scheduler/search/pass.h"
#include "scheduler/search/plain.h"
#include "scheduler/search/reconsider_places.h"
#include "scheduler/search/worth_improving.h"

namespace autoschedule_gpu {

namespace {

// The pre-pass of freezing needs a rough picture, not the best one.
constexpr int kFreezeBeam = 8;

// Makes a cheaper state of a complete one, or leaves it as it is.
struct Improver {
    std::string_view name;
    State (*improve)(SearchParts &parts, State state);
};

// Of the best states of each pass: the best is not always the one that becomes it.
constexpr Improver kAfterEachPass[] = {{"improve_tilings", improve_tilings}};
constexpr size_t kImprovedStates = 4;

// Of the best state of all passes; then, while the search has not spent so much effort, of the best
// of each other pass, which may be far from that one.
constexpr Improver kAfterThePasses[] = {{"reconsider_places", reconsider_places}};
constexpr double kEffortForOtherPasses = 8e5;

// Of the best state after all of that, but not in a single pass: by such, ways to take reductions
// apart are compared, and some gain more by this than by what a search does to all of them later.
constexpr Improver kAtTheEnd[] = {{"improve_members", improve_members}};

// After so many passes in a row that find nothing cheaper by so much, no more are made: fewer, once
// they have been so much effort.
constexpr std::ptrdiff_t kPassesWithoutGain = 4, kDearPassesWithoutGain = 2;
constexpr double kEffortOfCheapPasses = 3e5;
constexpr double kLeastGainOfPass = 0.003;

size_t funcs_to_decide(const SearchSpace &space) {
    const auto &steps = space.steps();
    return static_cast<size_t>(std::count_if(steps.begin(), steps.end(), [](const Step &step) {
        return step.kind == Step::Kind::place;
    }));
}

class Search {
public:
    Search(const SearchSpace &space, const CostModel &model, SearchContext &context)
        : space_(space),
          options_(context.options),
          clock_(context.clock),
          bench_(space, model, context, report_) {
        report_.sampling = options_.sampling != Switch::off;
        report_.memo = options_.memo != Switch::off;
        report_.freeze = options_.freeze == Switch::on || (options_.freeze == Switch::automatic &&
                                                           funcs_to_decide(space) >= kFreezeFuncs);
        report_.rejections = space.static_rejections();
    }

    SearchResult run(const Nest *draft) {
        if (draft != nullptr) take_draft(*draft);
        if (report_.freeze) freeze();
        const int passes = report_.sampling ? options_.limits.num_passes : 1;
        bool complete = true;
        for (int pass = 1; complete && pass <= passes && !gains_no_more(); ++pass) {
            complete = run_pass(pass);
        }
        if (report_.passes < passes && complete && options_.progress) options_.progress(1);
        if (complete && improves()) improve_after_passes();
        bench_.costs.add_counts(report_);
        report_.stop_reason = clock_.stop_reason();
        report_.times.total = watch_.seconds();
        return {best(), report_};
    }

private:
    void take_draft(const Nest &draft) {
        found_.push_back(with_costs(bench_.costs, space_.adopt(draft)));
        best_of_passes_.push_back(found_.back());
        report_.draft_cost = found_.back().cost;
    }

    // The first of several passes looks widely, so that what is found in a small space does not
    // hang on the draws. A single one draws: it is the greedy search of many tries.
    Coverage coverage_of(int pass) const {
        if (!report_.sampling) return Coverage::at_all;
        return pass == 1 && options_.limits.num_passes > 1 ? Coverage::at_all_if_few
                                                           : Coverage::at_drawn;
    }

    void freeze() {
        const PhaseTimer timer(report_.times.freeze);
        RunningPart part(report_, "freeze", 0);
        const SearchSpace space(space_.dag(), space_.gpu(), space_.rules(), Freedom::no_fusion);
        SearchOptions options = options_;
        options.limits.beam_size = std::min(options.limits.beam_size, kFreezeBeam);
        options.progress = {};
        SearchReport report;
        SearchParts parts = bench_.parts.over(space, options, bench_.book, bench_.decided, report);
        const Pass::Outcome outcome =
            Pass(parts, 1, report_.sampling ? Coverage::at_drawn : Coverage::at_all).run();
        add_states(report_, report);
        bench_.book = {};
        part.done(outcome.complete ? outcome.states.front().cost : 0);
        if (!outcome.complete) return;
        bench_.decided = frozen_decisions(space, outcome.states.front());
        report_.funcs_frozen = bench_.decided.funcs();
    }

    // Whether the last passes found nothing that is cheaper than what was found before.
    bool gains_no_more() const {
        const std::vector<double> &costs = report_.pass_costs;
        const bool are_cheap = clock_.effort() <= kEffortOfCheapPasses;
        const std::ptrdiff_t passes = are_cheap ? kPassesWithoutGain : kDearPassesWithoutGain;
        if (std::ssize(costs) <= passes) return false;
        const auto last = costs.end() - passes;
        return *std::min_element(last, costs.end()) >=
               (1 - kLeastGainOfPass) * *std::min_element(costs.begin(), last);
    }

    // False if the time was up before its end.
    bool run_pass(int pass) {
        RunningPart part(report_, "pass", least_cost());
        Pass::Outcome outcome = Pass(bench_.parts, pass, coverage_of(pass)).run();
        part.done(outcome.complete ? outcome.states.front().cost : 0);
        ++report_.passes;
        if (!outcome.complete) {
            complete_unless_there_is_better(std::move(outcome));
            return false;
        }
        take(std::move(outcome.states));
        return true;
    }

    // Something complete is known after the first pass; in it the best state so far is made so.
    void complete_unless_there_is_better(Pass::Outcome outcome) {
        if (report_.passes > 1) return;
        found_.push_back(complete_plainly(space_, bench_.costs, std::move(outcome.states.front()),
                                          outcome.steps));
    }

    // The states of a pass, best first, and what becomes of the best of them.
    void take(std::vector<State> states) {
        const size_t before = found_.size();
        const auto improved = static_cast<std::ptrdiff_t>(std::min(kImprovedStates, states.size()));
        std::vector<State> best(states.begin(), states.begin() + improved);
        std::ranges::move(states, std::back_inserter(found_));
        if (improves()) {
            for (const Improver &improver : kAfterEachPass) improve(improver, best);
        }
        best_of_passes_.push_back(cheapest_since(before));
        report_.pass_costs.push_back(best_of_passes_.back().cost);
    }

    // What an improver makes of the states is found as well.
    void improve(const Improver &improver, std::vector<State> &states) {
        RunningPart part(report_, improver.name, least_of(states));
        for (State &state : states) {
            state = improver.improve(bench_.parts, std::move(state));
            found_.push_back(state);
        }
        part.done(least_of(states));
    }

    static double least_of(const std::vector<State> &states) {
        return std::ranges::min_element(states, {}, &State::cost)->cost;
    }

    void improve_after_passes() {
        std::vector<State> states = std::move(best_of_passes_);
        std::ranges::stable_sort(states, {}, &State::cost);
        for (size_t i = 0; i < states.size(); ++i) {
            if (i > 0 && (clock_.effort() > kEffortForOtherPasses || clock_.is_up())) break;
            if (!is_worth_improving(states[i].cost, least_cost())) break;
            std::vector<State> one{states[i]};
            for (const Improver &improver : kAfterThePasses) improve(improver, one);
        }
        if (options_.limits.num_passes == 1) return;
        std::vector<State> best{cheapest_since(0)};
        for (const Improver &improver : kAtTheEnd) improve(improver, best);
    }

    bool improves() const { return options_.refine && options_.random_dropout >= 100; }

    // Of what was found after the first so many.
    const State &cheapest_since(size_t first) const {
        return *std::ranges::min_element(found_.begin() + static_cast<std::ptrdiff_t>(first),
                                         found_.end(), {}, &State::cost);
    }

    // Of all that was found; 0: nothing was.
    double least_cost() const { return found_.empty() ? 0 : cheapest_since(0).cost; }

    // The best different states of all passes.
    std::vector<State> best() {
        std::stable_sort(found_.begin(), found_.end(),
                         [](const State &a, const State &b) { return a.cost < b.cost; });
        std::unordered_set<uint64_t> seen;
        std::erase_if(found_, [&](const State &state) { return !seen.insert(state.id).second; });
        const size_t most = static_cast<size_t>(options_.limits.beam_size);
        if (found_.size() > most) found_.erase(found_.begin() + most, found_.end());
        return std::move(found_);
    }

    const SearchSpace &space_;
    const SearchOptions &options_;
    SearchClock &clock_;
    const Stopwatch watch_;
    SearchReport report_;
    Workbench bench_;
    std::vector<State> found_;
    std::vector<State> best_of_passes_;
};

}  // namespace

SearchResult beam_search(const SearchSpace &space, const CostModel &model, SearchContext &context,
                         const Nest *draft) {
    return Search(space, model, context).run(draft);
}

}  // namespace autoschedule_gpu
