#include <algorithm>
#include <memory>
#include <unordered_set>

#include "nest/edit.h"
#include "search/kernel_costs.h"
#include "search/search.h"
#include "support/random.h"

namespace autoschedule_gpu {

namespace {

using Clock = std::chrono::steady_clock;

// The best states of the beam, for which kernels are also tried with other tilings.
constexpr size_t kRetiledParents = 4;

struct Candidate {
    const State *parent = nullptr;
    Successor successor;
    std::vector<double> costs;
    double cost = 0;
    size_t order = 0;  // of enumeration: ties keep it, so that the result is reproducible
};

// What the expansion of one parent found, before costs are known.
struct Expansion {
    std::vector<Successor> successors;
    RuleCounts rejected{};
    uint64_t enumerated = 0;
};

class BeamSearch {
public:
    BeamSearch(const SearchSpace &space, const CostModel &model, const SearchOptions &options)
        : space_(space),
          options_(options),
          pool_(options.limits.threads),
          costs_(space.dag(), space.gpu(), model, pool_),
          start_(Clock::now()) {}

    SearchResult run() {
        std::vector<State> beam{space_.initial()};
        const std::vector<Step> &steps = space_.steps();
        report_.rejections = space_.static_rejections();
        report_.passes = 1;
        for (size_t i = 0; i < steps.size(); ++i) {
            if (seconds() > options_.limits.time_limit_s) {
                report_.stop_reason = StopReason::time_limit;
                beam.resize(1);
                complete(beam[0], i);
                break;
            }
            std::vector<State> next = advance(beam, steps[i], i);
            // Every tiling may exceed the grid; the provisional one then stays.
            if (!next.empty()) beam = std::move(next);
            ++report_.steps;
            if (options_.progress) options_.progress(double(i + 1) / double(steps.size()));
        }
        report_.kernels_evaluated = costs_.evaluated();
        report_.search_s = seconds();
        return {std::move(beam), report_};
    }

    void complete(State &state, size_t first_step) {
        for (size_t i = first_step; i < space_.steps().size(); ++i) {
            const Move move = SearchSpace::plain_move(space_.steps()[i]);
            if (move.kind == Move::Kind::keep) continue;
            auto applied = space_.apply(state, move);
            Candidate candidate{&state, std::get<Successor>(std::move(applied)), {}, 0, 0};
            std::vector<Candidate> one;
            one.push_back(std::move(candidate));
            score(one);
            state = materialise(space_.dag(), state, one[0].successor, one[0].costs);
        }
    }

private:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    std::vector<State> advance(const std::vector<State> &beam, const Step &step, size_t index) {
        std::vector<Expansion> expansions(beam.size());
        pool_.for_each(beam.size(),
                       [&](size_t i) { expansions[i] = expand(beam[i], step, index, i); });
        std::vector<Candidate> candidates;
        for (size_t i = 0; i < beam.size(); ++i) {
            for (Successor &successor : expansions[i].successors) {
                candidates.push_back({&beam[i], std::move(successor), {}, 0, candidates.size()});
            }
            report_.states_enumerated += expansions[i].enumerated;
            for (size_t r = 0; r < kRuleCount; ++r) {
                report_.rejections[r] += expansions[i].rejected[r];
                report_.states_rejected += expansions[i].rejected[r];
            }
        }
        report_.states_scored += candidates.size();
        score(candidates);
        return select(candidates);
    }

    Expansion expand(const State &parent, const Step &step, size_t index, size_t slot) const {
        Expansion result;
        Random random = Random(options_.seed).fork(index).fork(slot);
        const Retile retile = slot < kRetiledParents ? Retile::yes : Retile::no;
        for (const Move &move : space_.moves(parent, step, retile, result.rejected)) {
            ++result.enumerated;
            const bool last_resort = move.kind == Move::Kind::compute_root;
            const bool dropped = options_.random_dropout < 100 && !last_resort &&
                                 random.below(100) >= uint64_t(options_.random_dropout);
            if (dropped && !(step.kind == Step::Kind::tile && result.successors.empty())) {
                ++result.rejected[static_cast<size_t>(Rule::random_dropout)];
                continue;
            }
            auto applied = space_.apply(parent, move);
            if (const Rule *rule = std::get_if<Rule>(&applied)) {
                ++result.rejected[static_cast<size_t>(*rule)];
            } else {
                result.successors.push_back(std::get<Successor>(std::move(applied)));
            }
        }
        return result;
    }

    void score(std::vector<Candidate> &candidates) {
        std::vector<KernelPtr> kernels;
        for (const Candidate &candidate : candidates) {
            for (const KernelChange &change : candidate.successor.changes) {
                kernels.push_back(change.kernel);
            }
        }
        costs_.compute(kernels);
        for (Candidate &candidate : candidates) {
            candidate.cost = candidate.parent->cost;
            for (const KernelChange &change : candidate.successor.changes) {
                const double cost = costs_[*change.kernel];
                candidate.costs.push_back(cost);
                candidate.cost += cost;
                if (change.index < candidate.parent->kernel_costs.size()) {
                    candidate.cost -= candidate.parent->kernel_costs[change.index];
                }
            }
        }
    }

    // The best `beam_size` different states.
    std::vector<State> select(std::vector<Candidate> &candidates) const {
        std::sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) {
            return a.cost != b.cost ? a.cost < b.cost : a.order < b.order;
        });
        std::vector<State> beam;
        std::unordered_set<uint64_t> seen;
        for (const Candidate &candidate : candidates) {
            if (beam.size() == static_cast<size_t>(options_.limits.beam_size)) break;
            State state = candidate.successor.changes.empty() && !candidate.successor.func.valid()
                              ? *candidate.parent
                              : materialise(space_.dag(), *candidate.parent, candidate.successor,
                                            candidate.costs);
            if (seen.insert(state.id).second) beam.push_back(std::move(state));
        }
        return beam;
    }

    const SearchSpace &space_;
    const SearchOptions &options_;
    ThreadPool pool_;
    KernelCosts costs_;
    Clock::time_point start_;
    SearchReport report_;
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
                         const SearchOptions &options) {
    return BeamSearch(space, model, options).run();
}

State plain_state(const SearchSpace &space, const CostModel &model) {
    SearchOptions options;
    options.limits.threads = 1;
    State state = space.initial();
    BeamSearch(space, model, options).complete(state, 0);
    return state;
}

State host_state(const SearchSpace &space) {
    State state = space.initial();
    for (const Step &step : space.steps()) {
        if (step.kind == Step::Kind::tile) continue;
        Successor successor{step.func, Placement::root, {}};
        for (StageId stage : space.dag().func(step.func).stages) {
            const size_t index = state.nest.kernels.size() + successor.changes.size();
            successor.changes.push_back({index, make_host_kernel(space.dag(), stage)});
        }
        const std::vector<double> costs(successor.changes.size(), 0.0);
        state = materialise(space.dag(), state, successor, costs);
    }
    return state;
}

}  // namespace autoschedule_gpu
