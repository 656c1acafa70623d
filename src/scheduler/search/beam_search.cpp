#include "scheduler/search/beam_search.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <unordered_set>

#include "scheduler/search/freeze.h"
#include "scheduler/search/improve_tilings.h"
#include "scheduler/search/pass.h"
#include "scheduler/search/plain.h"
#include "scheduler/search/reconsider_places.h"

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

// Of the best state of all passes.
constexpr Improver kAfterThePasses[] = {{"reconsider_places", reconsider_places}};

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
        for (int pass = 1; complete && pass <= passes; ++pass) complete = run_pass(pass);
        if (complete && improves()) {
            for (const Improver &improver : kAfterThePasses) improve(improver, {cheapest()});
        }
        bench_.costs.add_counts(report_);
        report_.stop_reason = clock_.stop_reason();
        report_.times.total = watch_.seconds();
        return {best(), report_};
    }

private:
    void take_draft(const Nest &draft) {
        found_.push_back(with_costs(bench_.costs, space_.adopt(draft)));
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
        const auto improved = static_cast<std::ptrdiff_t>(std::min(kImprovedStates, states.size()));
        const std::vector<State> best(states.begin(), states.begin() + improved);
        double least = states.front().cost;
        std::ranges::move(states, std::back_inserter(found_));
        if (improves()) {
            for (const Improver &improver : kAfterEachPass) {
                least = std::min(least, improve(improver, best));
            }
        }
        report_.pass_costs.push_back(least);
    }

    // What an improver makes of the states is found as well. Returns the least cost of that.
    double improve(const Improver &improver, std::vector<State> states) {
        RunningPart part(report_, improver.name, states.front().cost);
        double least = std::numeric_limits<double>::infinity();
        for (State &state : states) {
            found_.push_back(improver.improve(bench_.parts, std::move(state)));
            least = std::min(least, found_.back().cost);
        }
        part.done(least);
        return least;
    }

    bool improves() const { return options_.refine && options_.random_dropout >= 100; }

    const State &cheapest() const {
        return *std::min_element(found_.begin(), found_.end(),
                                 [](const State &a, const State &b) { return a.cost < b.cost; });
    }

    // Of all that was found; 0: nothing was.
    double least_cost() const { return found_.empty() ? 0 : cheapest().cost; }

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
};

}  // namespace

SearchResult beam_search(const SearchSpace &space, const CostModel &model, SearchContext &context,
                         const Nest *draft) {
    return Search(space, model, context).run(draft);
}

}  // namespace autoschedule_gpu
