// The search space of Anderson 2021 (§2, §4): which decisions there are for a Func, and what each
// makes of a state.
//
//     steps()                 the order of decisions: outputs first; where a Func is computed,
//     then,
//                             for a Func at root, the tiling of each of its stages
//     decisions(state, step)  the decisions that exist at this step, in a fixed order
//     apply(state, decision)  a Successor, or the rule that rejects it
//
// The reduction of a Func in a block, or only the outermost of its loops, may run outside the
// threads (scheduler/nest/block_loop.h), where each iteration reads other points of something that
// may come to be computed in it.
//
// Mere copies (an input under another name, a boundary condition) are never at root. Computed in a
// block or a thread, they stage what they copy in shared memory or registers.
//
// What exists inside a kernel is listed in inside_kernel.h, kernels are made in kernel_builder.h,
// and the rules are in scheduler/rules. Immutable after construction; all functions are pure and
// may be called from any thread.
#pragma once

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "scheduler/space/decision.h"
#include "scheduler/space/inside_kernel.h"
#include "scheduler/space/space_facts.h"
#include "scheduler/space/state.h"

namespace autoschedule_gpu {

struct Step {
    enum class Kind : uint8_t { place, tile };
    Kind kind = Kind::place;
    FuncId func;
    StageId stage;  // tile only
};

class SearchSpace {
public:
    // `dag` and `gpu` must outlive the space.
    SearchSpace(const Dag &dag, const GpuModel &gpu, const RuleBook &rules, Freedom freedom);

    const std::vector<Step> &steps() const { return steps_; }
    const SpaceFacts &facts() const { return facts_; }
    Freedom freedom() const { return facts_.freedom; }
    const Dag &dag() const { return facts_.dag; }
    const GpuModel &gpu() const { return facts_.gpu; }
    const RuleBook &rules() const { return *facts_.rules; }

    // The same space with steps for those wrappers of single readers: each is computed inline or in
    // the kernel that reads it.
    SearchSpace with_steps_of(std::span<const FuncId> wrappers) const;

    // The space over a pipeline that differs from this one's in how Funcs are stored only. To list
    // the tilings of all stages takes a while: those of stages that neither compute nor read such a
    // Func are the same. The static rejections are those of this space.
    SearchSpace stored_otherwise(const Dag &dag) const;

    // The same space, in which blocks of the state's kernels may walk: what comes to be computed in
    // one makes it walk, or leaves its tiling as it is.
    SearchSpace with_walks(const State &state) const;

    // A state with nothing decided but the Funcs that are always inlined: those of a single stage
    // that are read point by point (§4) by one other Func, or are cheap; copies of which the same
    // is true; what is cheap and reads no memory; and what must be.
    State initial() const;

    std::vector<Decision> decisions(const State &state, const Step &step, Retile retile,
                                    RuleCounts &rejected) const {
        std::vector<Decision> result;
        list_decisions(state, step, retile, result, rejected);
        return result;
    }
    // The same, added to `out`.
    void list_decisions(const State &state, const Step &step, Retile retile,
                        std::vector<Decision> &out, RuleCounts &rejected) const;
    std::variant<Successor, Rejection> apply(const State &state, const Decision &decision) const;

    // The rule that a kernel breaks, if any.
    std::optional<Rejection> rejection(const Kernel &kernel) const;

    // The complete state of a nest that was found in another space over the same pipeline, whose
    // wrappers of single readers it may lack. Costs are not filled in.
    State adopt(const Nest &nest) const;

    // As of InsideKernel.
    std::vector<Decision> staging_decisions(const State &state, FuncId copy,
                                            RuleCounts &rejected) const {
        return InsideKernel(facts_).staging(state, copy, rejected);
    }
    std::vector<Decision> fitted_tiles(const State &state, size_t kernel,
                                       const Tiling &tiling) const {
        return InsideKernel(facts_).fitted_tiles(state, kernel, tiling);
    }
    std::vector<Decision> other_tiles(const State &state, size_t kernel,
                                      RuleCounts &rejected) const {
        return InsideKernel(facts_).other_tiles(state, kernel, rejected);
    }
    std::variant<Decision, Rejection> decision_of(const State &state, const Member &member,
                                                  std::vector<int64_t> serial = {}) const {
        return InsideKernel(facts_).decision_of(state, member, std::move(serial));
    }

    // The plain choice for a step, which always exists: root, with the default tiling; inline for
    // copies. Used when time is up and as the last resort.
    Decision plain_decision(const Step &step) const;

    // All tilings of a stage at root in tiles, in the order of the decisions.
    const std::vector<Tiling> &tilings(StageId stage) const {
        return facts_.tilings_of(stage).tiles;
    }

    // Those in which blocks have whole rows or chunks; decisions, too, behind the others.
    const std::vector<Tiling> &row_tilings(StageId stage) const {
        return facts_.tilings_of(stage).rows;
    }

    // Those in which blocks walk (scheduler/nest/sliding.h), for kernels with something in them;
    // none but in a space with such.
    const std::vector<Tiling> &walks(StageId stage) const { return (*facts_.walks)[stage.index()]; }

    // Not what is inline in any case, nor a copy that is not worth a kernel.
    bool may_be_at_root(FuncId func) const;

    // Rejections met while the tilings of all stages are listed, which no state needs to exist for.
    RuleCounts static_rejections() const;

private:
    explicit SearchSpace(SpaceFacts facts) : facts_(std::move(facts)) {}

    // With what is a copy, and what is inlined everywhere.
    void list_steps();
    bool always_inlined(FuncId func) const;
    bool is_for_extern(FuncId func) const;
    void list_tilings(const State &state, const Step &step, std::vector<Decision> &out) const;
    void list_places(const State &state, FuncId func, Retile retile, std::vector<Decision> &out,
                     RuleCounts &rejected) const;
    std::variant<Successor, Rejection> inline_successor(const State &state, FuncId func) const;
    std::variant<KernelPtr, Rejection> with_inlined(const Kernel &kernel, FuncId func) const;
    Successor root_successor(const State &state, FuncId func) const;
    std::variant<Successor, Rejection> inside_successor(const State &state,
                                                        const Decision &decision) const;
    std::variant<Successor, Rejection> tiled_successor(const State &state,
                                                       const Decision &decision) const;

    SpaceFacts facts_;
    std::vector<Step> steps_;
};

}  // namespace autoschedule_gpu
