// The search space of Anderson 2021 (§2, §4): which decisions there are for a Func, and what each
// makes of a state.
//
//     steps()            the order of decisions: outputs first; where a Func is computed, then, for
//                        a Func at root, the tiling of each of its stages
//     moves(state, step) the decisions that exist at this step, in a fixed order
//     apply(state, move) a Successor, or the Rule that rejects it
//
// Immutable after construction; all functions are pure and may be called from any thread.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "dag/dag.h"
#include "gpu/gpu_model.h"
#include "nest/nest.h"
#include "space/rules.h"
#include "space/state.h"
#include "space/tilings.h"

namespace autoschedule_gpu {

struct Step {
    enum class Kind : uint8_t { place, tile };
    Kind kind = Kind::place;
    FuncId func;
    StageId stage;  // tile only
};

struct Move {
    enum class Kind : uint8_t {
        compute_inline,
        compute_root,
        compute_in_block,
        compute_in_thread,
        tile_root,
        keep
    };
    Kind kind = Kind::keep;
    FuncId func;
    StageId stage;                   // tile_root
    size_t kernel = 0;               // compute_in_*, tile_root: index in the nest
    KernelPtr base;                  // compute_in_*: the kernel to compute in, perhaps tiled anew
    StageId site;                    // compute_in_thread: stage of the thread band
    std::vector<int64_t> extents;    // compute_in_*: the region, points per dimension
    std::vector<int64_t> serial;     // compute_in_block: points per thread
    const Tiling *tiling = nullptr;  // tile_root: owned by the space
};

// What the space allows: everything; no Func inside the kernel of another; nothing but root, apart
// from Funcs that Halide can't bound elsewhere than inline. For pipelines of which Halide refuses
// what it should accept.
enum class Freedom : uint8_t { full, no_fusion, root_only };

// A kernel's tiling is chosen for its root stage alone. `yes`: moves that compute a Func in a
// kernel also try the kernel with other tilings, since the best one depends on what is computed
// inside.
enum class Retile : uint8_t { no, yes };

class SearchSpace {
public:
    // `dag` and `gpu` must outlive the space.
    SearchSpace(const Dag &dag, const GpuModel &gpu, const RuleSet &rules, Freedom freedom);

    const std::vector<Step> &steps() const { return steps_; }

    // Nothing decided but the Funcs that are always inlined: those of a single stage that are read
    // point by point (§4), mere copies (input wrappers, boundary conditions), and what must be.
    State initial() const;

    std::vector<Move> moves(const State &state, const Step &step, Retile retile,
                            RuleCounts &rejected) const;
    std::variant<Successor, Rule> apply(const State &state, const Move &move) const;

    // The plain choice for a step, which always exists: root, with the default tiling. Used when
    // time is up and as the last resort.
    static Move plain_move(const Step &step);

    // Rejections met while tilings were listed, before any state existed.
    const RuleCounts &static_rejections() const { return static_rejections_; }

    const Dag &dag() const { return dag_; }
    const GpuModel &gpu() const { return gpu_; }

private:
    bool always_inlined(FuncId func) const;
    KernelPtr with_forced_inlines(KernelPtr kernel) const;
    void fused_moves(const State &state, FuncId func, const std::vector<size_t> &consumers,
                     Retile retile, std::vector<Move> &moves, RuleCounts &rejected) const;
    void moves_into(const KernelPtr &base, size_t index, FuncId func, Retile retile,
                    std::vector<Move> &moves, RuleCounts &rejected) const;
    KernelPtr retiled(const Kernel &kernel, const Tiling &tiling) const;
    std::optional<Rule> rejects_fusion(const Kernel &kernel, const Move &move) const;
    std::variant<Successor, Rule> inline_successor(const State &state, FuncId func) const;
    Successor root_successor(const State &state, FuncId func) const;
    std::variant<Successor, Rule> fused_successor(const Move &move) const;
    std::variant<Successor, Rule> check_hardware(Successor successor) const;
    bool too_much_code(const Kernel &kernel) const;

    const Dag &dag_;
    const GpuModel &gpu_;
    RuleSet rules_;
    Freedom freedom_;
    std::vector<Step> steps_;
    std::vector<bool> forced_inline_;           // by FuncId
    std::vector<std::vector<Tiling>> tilings_;  // by StageId
    RuleCounts static_rejections_{};
};

}  // namespace autoschedule_gpu
