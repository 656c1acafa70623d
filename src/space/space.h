// The search space of Anderson 2021 (§2, §4): which decisions there are for a Func, and what each
// makes of a state.
//
//     steps()            the order of decisions: outputs first; where a Func is computed, then, for
//                        a Func at root, the tiling of each of its stages
//     moves(state, step) the decisions that exist at this step, in a fixed order
//     apply(state, move) a Successor, or the Rule that rejects it
//
// The reduction of a Func in a block may run outside the threads (nest/nest.h), where each
// iteration reads other points of something that may come to be computed in it.
//
// Mere copies (an input under another name, a boundary condition) are never at root. Computed in a
// block or a thread, they stage what they copy in shared memory or registers.
//
// Immutable after construction; all functions are pure and may be called from any thread. (What
// blocks and threads need of Funcs is remembered, which changes no result: site_extents.h.)
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "dag/dag.h"
#include "gpu/gpu_model.h"
#include "nest/edit.h"
#include "nest/nest.h"
#include "space/rules.h"
#include "space/site_extents.h"
#include "space/state.h"
#include "space/tilings.h"

namespace autoschedule_gpu {

struct Step {
    enum class Kind : uint8_t { place, tile };
    Kind kind = Kind::place;
    FuncId func;
    StageId stage;  // tile only
};

// The serial tile of a Func that is computed in a block: as listed, one point per thread, or that
// of the root stage. The latter two are for kernels that are tiled anew, whose regions are found
// only when the move is applied. A copy may also be dealt to the root stage's threads in rounds;
// its border then needs no further threads.
enum class MemberTile : uint8_t { given, one_point, like_root, dealt };

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
    size_t kernel = 0;  // compute_in_*, tile_root: index in the nest
    StageId site;       // compute_in_thread: stage of the thread band
    // compute_in_block: the Func's own update whose reduction runs outside its threads, or that of
    // a Func in the block, in whose loop this one is computed (nest/edit.h).
    StageId loop;
    // Of the kernel's root stage, owned by the space. Null: as it is. A kernel that is tiled anew
    // keeps what is computed in it.
    const Tiling *tiling = nullptr;
    MemberTile member_tile = MemberTile::given;
    std::vector<int64_t> extents;  // compute_in_*, where the tiling stays: points per dimension
    std::vector<int64_t> serial;   // MemberTile::given: points per thread
};

Move make_move(Move::Kind kind, FuncId func);

// What the space allows: everything; no Func inside the kernel of another; nothing but root, apart
// from Funcs that Halide can't bound elsewhere than inline. For pipelines of which Halide refuses
// what it should accept.
enum class Freedom : uint8_t { full, no_fusion, root_only };

// A kernel's tiling is chosen for its root stage alone. `yes`: there are also moves that compute a
// Func in a kernel and tile that kernel anew, since the best tiling depends on what is computed
// inside.
enum class Retile : uint8_t { no, yes };

class SearchSpace {
public:
    // `dag` and `gpu` must outlive the space.
    SearchSpace(const Dag &dag, const GpuModel &gpu, const RuleSet &rules, Freedom freedom);

    const std::vector<Step> &steps() const { return steps_; }
    Freedom freedom() const { return freedom_; }

    // The same space with steps for those wrappers of single readers: each is computed inline or in
    // the kernel that reads it.
    SearchSpace with_steps_of(std::span<const FuncId> wrappers) const;

    // Nothing decided but the Funcs that are always inlined: those of a single stage that are read
    // point by point (§4), copies of which the same is true, and what must be.
    State initial() const;

    std::vector<Move> moves(const State &state, const Step &step, Retile retile,
                            RuleCounts &rejected) const {
        std::vector<Move> result;
        list_moves(state, step, retile, result, rejected);
        return result;
    }
    // The same, added to `moves`.
    void list_moves(const State &state, const Step &step, Retile retile, std::vector<Move> &moves,
                    RuleCounts &rejected) const;
    std::variant<Successor, Rule> apply(const State &state, const Move &move) const;

    // The complete state of a nest that was found in another space over the same pipeline, whose
    // wrappers of single readers it may lack. Costs are not filled in.
    State adopt(const Nest &nest) const;

    // Decisions that compute an inlined copy in the kernel that reads it, in the block or in a
    // thread, as the kernel is tiled or with another tiling. Wrappers of single readers have no
    // other decisions.
    std::vector<Move> staging_moves(const State &state, FuncId copy, RuleCounts &rejected) const;

    // A Func computed in a kernel, as a move puts it there.
    struct Member {
        FuncId func;
        Move::Kind kind;
        StageId site;  // in a thread
        StageId loop;  // in a block: as Move's
        MemberTile tile;
        std::span<const int64_t> serial;  // MemberTile::given
    };
    // What is computed in a kernel, consumers first. Valid as long as the kernel is.
    std::vector<Member> members_of(const Kernel &kernel) const;
    // The decision to compute a Func so in the only kernel that reads it, as that is tiled, whether
    // it is listed or not.
    std::variant<Move, Rule> move_of(const State &state, const Member &member) const;

    // The plain choice for a step, which always exists: root, with the default tiling; inline for
    // copies. Used when time is up and as the last resort.
    Move plain_move(const Step &step) const;

    // All tilings of a stage at root, in the order of the moves.
    const std::vector<Tiling> &tilings(StageId stage) const { return (*tilings_)[stage.index()]; }

    // Rejections met while tilings were listed, before any state existed.
    const RuleCounts &static_rejections() const { return static_rejections_; }

    const Dag &dag() const { return dag_; }
    const GpuModel &gpu() const { return gpu_; }
    const RuleSet &rules() const { return rules_; }

private:
    bool always_inlined(FuncId func) const;
    bool may_be_at_root(FuncId func) const;
    void fused_moves(const State &state, FuncId func, const std::vector<size_t> &consumers,
                     Retile retile, std::vector<Move> &moves, RuleCounts &rejected) const;
    bool may_fill_loop(const State &state, StageId update) const;
    StageId loop_for(const State &state, const Kernel &kernel, FuncId func) const;
    void moves_into(const Kernel &kernel, size_t index, FuncId func, StageId loop,
                    std::vector<Move> &moves, RuleCounts &rejected) const;
    void block_moves_into(const Kernel &kernel, size_t index, FuncId func, StageId loop,
                          std::vector<Move> &moves, RuleCounts &rejected) const;
    void retiling_moves_into(const Kernel &kernel, size_t index, FuncId func, StageId loop,
                             std::vector<Move> &moves) const;
    std::vector<const Tiling *> fitting_block(const Kernel &kernel, FuncId func,
                                              std::vector<const Tiling *> tilings) const;
    std::vector<SiteExtents::Answer> extents_in_block(const Kernel &kernel, const Tiling &tiling,
                                                      std::span<const Member> members) const;
    static Member member_of(const Move &move);
    std::variant<KernelPtr, Rule> retiled(const Kernel &kernel, const Tiling &tiling,
                                          const Move *added) const;
    std::variant<KernelPtr, Rule> fused(const Kernel &kernel, const Move &move) const;
    std::optional<Rule> fuse(KernelDraft &draft, const Member &member,
                             std::span<const int64_t> extents) const;
    std::optional<Rule> rejects_fusion(const Kernel &kernel, const Member &member,
                                       std::span<const int64_t> extents) const;
    std::variant<Successor, Rule> inline_successor(const State &state, FuncId func) const;
    Successor root_successor(const State &state, FuncId func) const;
    std::variant<Successor, Rule> fused_successor(const State &state, const Move &move) const;
    std::variant<Successor, Rule> tiled_successor(const State &state, const Move &move) const;
    void add_forced_inlines(KernelDraft &draft) const;
    std::variant<KernelPtr, Rule> completed(KernelDraft draft) const;
    std::optional<Rule> beyond_limits(const Kernel &kernel) const;
    bool too_many_threads(const Kernel &kernel) const;
    bool too_much_in_registers(const Kernel &kernel) const;
    bool too_much_shared(const Kernel &kernel) const;
    bool too_large_grid(const Kernel &kernel) const;
    bool too_much_code(const Kernel &kernel) const;

    const Dag &dag_;
    const GpuModel &gpu_;
    RuleSet rules_;
    Freedom freedom_;
    std::vector<Step> steps_;
    std::vector<bool> copies_;         // by FuncId
    std::vector<bool> forced_inline_;  // likewise
    std::shared_ptr<SiteExtents> site_extents_;
    using Tilings = std::vector<std::vector<Tiling>>;  // by StageId
    std::shared_ptr<const Tilings> tilings_;
    std::shared_ptr<const Tilings> whole_tilings_;  // only for what is in a thread
    RuleCounts static_rejections_{};
};

}  // namespace autoschedule_gpu
