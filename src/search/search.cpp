#include "search/search.h"

#include <algorithm>
#include <unordered_set>

#include "search/freeze.h"
#include "search/memo.h"
#include "search/pass.h"
#include "search/plain.h"
#include "search/refine.h"
#include "search/revise.h"

namespace autoschedule_gpu {

namespace {

// The pre-pass of freezing needs a rough picture, not the best one.
constexpr int kFreezeBeam = 8;

// States of each pass whose tilings are improved at its end. The best is not always the one that
// becomes it.
constexpr size_t kRefined = 4;

size_t funcs_to_decide(const SearchSpace &space) {
    const auto &steps = space.steps();
    return static_cast<size_t>(std::count_if(steps.begin(), steps.end(), [](const Step &step) {
        return step.kind == Step::Kind::place;
    }));
}

class Search {
public:
    Search(const SearchSpace &space, const CostModel &model, const SearchOptions &options)
        : space_(space),
          options_(options),
          pool_(options.limits.threads),
          model_costs_(space.dag(), space.gpu(), model, pool_),
          memo_(model_costs_, options.limits.memo_bytes),
          costs_(options.memo == Use::off ? static_cast<KernelCosts &>(model_costs_) : memo_) {
        report_.sampling = options.sampling != Use::off;
        report_.memo = options.memo != Use::off;
        report_.freeze = options.freeze == Use::on || (options.freeze == Use::automatic &&
                                                       funcs_to_decide(space) >= kFreezeFuncs);
        report_.rejections = space.static_rejections();
    }

    SearchResult run(const Nest *draft) {
        if (draft != nullptr) take_draft(*draft);
        if (report_.freeze) freeze();
        SearchParts parts = parts_of(space_, options_, report_);
        const int passes = report_.sampling ? options_.limits.num_passes : 1;
        for (int pass = 1; pass <= passes; ++pass) {
            Pass::Outcome outcome = Pass(parts, pass, look_of(pass)).run();
            if (!outcome.complete) report_.stop_reason = StopReason::time_limit;
            take(parts, std::move(outcome));
            if (report_.stop_reason != StopReason::completed) break;
        }
        if (improves() && report_.stop_reason == StopReason::completed) {
            found_.push_back(revise_decisions(parts, cheapest()));
        }
        write_books();
        return {best(), report_};
    }

private:
    SearchParts parts_of(const SearchSpace &space, const SearchOptions &options,
                         SearchReport &report) {
        return {space, options, pool_, costs_, book_, frozen_, report, watch_};
    }

    void take_draft(const Nest &draft) {
        found_.push_back(with_costs(costs_, space_.adopt(draft)));
        report_.draft_cost = found_.back().cost;
    }

    // The first of several passes looks widely, so that what is found in a small space does not
    // hang on the draws. A single one draws: it is the greedy search of many tries.
    Look look_of(int pass) const {
        if (!report_.sampling) return Look::at_all;
        return pass == 1 && options_.limits.num_passes > 1 ? Look::at_all_if_few : Look::at_drawn;
    }

    void freeze() {
        const PhaseTimer timer(report_.times.freeze);
        const SearchSpace space(space_.dag(), space_.gpu(), space_.rules(), Freedom::no_fusion);
        SearchOptions options = options_;
        options.limits.beam_size = std::min(options.limits.beam_size, kFreezeBeam);
        options.progress = {};
        SearchReport report;
        SearchParts parts = parts_of(space, options, report);
        const Pass::Outcome outcome =
            Pass(parts, 1, report_.sampling ? Look::at_drawn : Look::at_all).run();
        add_states(report_, report);
        book_ = {};
        if (!outcome.complete) return;
        frozen_ = frozen_decisions(space, outcome.states.front());
        report_.funcs_frozen = frozen_.funcs();
    }

    void take(SearchParts &parts, Pass::Outcome outcome) {
        ++report_.passes;
        if (!outcome.complete) {
            // Something complete is known already, else the best state so far is made so.
            if (report_.passes > 1) return;
            found_.push_back(
                complete_plainly(space_, costs_, std::move(outcome.states.front()), outcome.steps));
            return;
        }
        if (improves()) {
            const size_t most = std::min(kRefined, outcome.states.size());
            for (size_t i = 0; i < most; ++i) {
                outcome.states.push_back(refine_tilings(parts, outcome.states[i]));
            }
        }
        double least = outcome.states.front().cost;
        for (State &state : outcome.states) {
            least = std::min(least, state.cost);
            found_.push_back(std::move(state));
        }
        report_.pass_costs.push_back(least);
    }

    bool improves() const { return options_.refine && options_.random_dropout >= 100; }

    const State &cheapest() const {
        return *std::min_element(found_.begin(), found_.end(),
                                 [](const State &a, const State &b) { return a.cost < b.cost; });
    }

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

    void write_books() {
        add_counts(model_costs_, memo_, report_);
        report_.times.total = watch_.seconds();
    }

    const SearchSpace &space_;
    const SearchOptions &options_;
    Stopwatch watch_;
    ThreadPool pool_;
    ModelCosts model_costs_;
    MemoisedCosts memo_;
    KernelCosts &costs_;
    StructureBook book_;
    Decisions frozen_;
    SearchReport report_;
    std::vector<State> found_;
};

}  // namespace

std::string_view name(StopReason reason) {
    switch (reason) {
        case StopReason::completed:
            return "completed";
        case StopReason::time_limit:
            return "time_limit";
    }
    return "";
}

SearchResult beam_search(const SearchSpace &space, const CostModel &model,
                         const SearchOptions &options, const Nest *draft) {
    return Search(space, model, options).run(draft);
}

std::vector<State> one_shot_batch(const SearchSpace &space, const CostModel &model,
                                  const SearchOptions &options, int greedy) {
    std::vector<State> batch;
    batch.push_back(std::move(beam_search(space, model, options).best.front()));
    SearchOptions own = options;
    own.limits.beam_size = 1;
    own.limits.num_passes = 1;
    own.sampling = Use::on;
    own.refine = false;
    const Random seeds(options.seed);
    for (int i = 0; i < greedy; ++i) {
        own.seed = seeds.fork(static_cast<uint64_t>(i)).next();
        if (options.progress) {
            own.progress = [&, i](double share) { options.progress((i + share) / greedy); };
        }
        batch.push_back(std::move(beam_search(space, model, own).best.front()));
    }
    return batch;
}

}  // namespace autoschedule_gpu
