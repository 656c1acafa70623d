#include "benchmark/subject.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "benchmark/growing_dags.h"
#include "core/support/random.h"
#include "scheduler/nest/edit.h"
#include "scheduler/nest/regions.h"

namespace autoschedule_gpu::example {

namespace {

// Moves that are tried at each step of a walk.
constexpr size_t kTries = 16;

class Walk {
public:
    Walk(Subject &subject, uint64_t seed)
        : subject_(subject),
          space_(subject.search.space),
          state_(space_.initial()),
          random_(seed) {}

    void run() {
        const std::vector<Step> &steps = space_.steps();
        for (size_t i = 0; i < std::min(Subject::kMostSteps, steps.size()); ++i) take(steps[i]);
    }

private:
    void take(const Step &step) {
        subject_.positions.push_back({state_, step});
        RuleCounts ignored{};
        const std::vector<Decision> moves = space_.decisions(state_, step, Retile::no, ignored);
        std::vector<Successor> legal;
        for (size_t i = 0; i < kTries; ++i) {
            const Decision &decision = moves[random_.below(moves.size())];
            auto applied = space_.apply(state_, decision);
            if (!std::holds_alternative<Successor>(applied)) continue;
            legal.push_back(std::get<Successor>(std::move(applied)));
            note(decision, legal.back());
        }
        if (legal.empty()) {
            // A kernel keeps its default tiling; a Func must be somewhere.
            if (step.kind == Step::Kind::tile) return;
            legal.push_back(std::get<Successor>(space_.apply(state_, space_.plain_decision(step))));
        }
        const Successor &taken = legal[random_.below(legal.size())];
        if (!taken.func.valid()) return;
        const std::vector<double> costs(taken.changes.size(), 0.0);
        state_ = materialise(space_.dag(), state_, taken, costs);
    }

    void note(const Decision &decision, const Successor &successor) {
        for (const KernelChange &change : successor.changes) {
            const bool fresh = change.index >= state_.nest.kernels.size();
            subject_.edits.push_back(
                {decision, fresh ? nullptr : state_.nest.kernels[change.index], change.kernel});
        }
    }

    Subject &subject_;
    const SearchSpace &space_;
    State state_;
    Random random_;
};

}  // namespace

Subject::Subject(int stages) : search(pyramids(stages)) {
    for (int walk = 0; walk < kWalks; ++walk) Walk(*this, static_cast<uint64_t>(walk)).run();
}

std::vector<Edit> Subject::edits_of(Place place) const {
    std::vector<Edit> result;
    std::copy_if(edits.begin(), edits.end(), std::back_inserter(result),
                 [place](const Edit &edit) { return edit.decision.place == place; });
    return result;
}

std::vector<KernelPtr> Subject::kernels() const {
    std::vector<KernelPtr> result;
    std::unordered_set<uint64_t> seen;
    for (const Edit &edit : edits) {
        if (seen.insert(edit.after->hash).second) result.push_back(edit.after);
    }
    return result;
}

KernelPtr fused_chain(const Dag &chain) {
    constexpr LoopTile kAlongX{1, 32}, kAlongY{1, 8};
    const size_t last = chain.stages.size() - 1;
    KernelPtr kernel = make_kernel(chain, StageId(last), {kAlongX, kAlongY});
    for (size_t stage = last; --stage > 0;) {
        const FuncId func = chain.stages[stage].func;
        const ConstantExtents extents = extents_in_block(chain, *kernel, func);
        kernel = compute_in_block(chain, kernel, func, extents.value(), {1, 1});
    }
    return kernel;
}

}  // namespace autoschedule_gpu::example
