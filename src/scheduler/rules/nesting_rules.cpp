// Rules about loops inside loops.
#include <algorithm>

#include "scheduler/nest/regions.h"
#include "scheduler/nest/sliding.h"
#include "scheduler/rules/families.h"

namespace autoschedule_gpu {

namespace {

// Sioutas et al. 2020, Listing 2, computes Funcs in the block and in the threads of the stage at
// root, and nowhere else.
Verdict in_another_func(const FusionCandidate &c) {
    const bool nested = c.site != nullptr ? c.site->stage != c.kernel.stage : c.loop.valid();
    return nested ? Verdict(Finding{}) : std::nullopt;
}

Verdict updates_in_registers(const FusionCandidate &c) {
    const bool has_updates = c.dag.func(c.func).stages.size() > 1;
    return c.site != nullptr && has_updates ? Verdict(Finding{}) : std::nullopt;
}

bool has_predicate(const Stage &stage) {
    return stage.has_predicate;
}

// Whether a stage may do nothing at all: Halide may ask that before it computes what is read.
bool may_be_skipped(const Stage &stage) {
    return stage.has_predicate || std::ranges::any_of(stage.loops, &Loop::may_be_empty);
}

// Whether all that read a Func do so under a condition, or for something of which that is true.
bool is_read_under_conditions(const Dag &dag, StageId root, FuncId func,
                              bool (*has_condition)(const Stage &)) {
    return std::ranges::all_of(dag.consumers[func.index()], [&](EdgeId edge) {
        const Stage &reader = dag.stage(dag.edge(edge).consumer);
        if (reader.func == func || has_condition(reader)) return true;
        if (reader.func == dag.stage(root).func) return false;
        return is_read_under_conditions(dag, root, reader.func, has_condition);
    });
}

// Of what may not even be added up atomically the order matters.
bool reduces_in_order(const Dag &dag, FuncId func) {
    return std::ranges::any_of(dag.func(func).stages, [&](StageId id) {
        const Stage &stage = dag.stage(id);
        return reduces(stage) && stage.atomics == Atomics::no;
    });
}

// Halide would put the barrier between the stages into that condition, too. It is the same in all
// threads of a block, which is legal, but PoCL's optimiser makes wrong code of it: trials for
// OpenCL refuse it. Some of the best schedules have sums of that kind.
Verdict has_guarded_barrier(const FusionCandidate &c) {
    const bool has_barrier = c.site == nullptr && reduces_in_order(c.dag, c.func);
    const bool is_guarded =
        has_barrier && is_read_under_conditions(c.dag, c.kernel.stage, c.func, has_predicate);
    return is_guarded ? Verdict(Finding{}) : std::nullopt;
}

// Most of these conditions Halide proves. Which, is not known before a trial.
Verdict has_doubtful_barrier(const FusionCandidate &c) {
    const bool is_guarded = c.site == nullptr &&
                            is_read_under_conditions(c.dag, c.kernel.stage, c.func, may_be_skipped);
    return is_guarded ? Verdict(Finding{}) : std::nullopt;
}

Verdict strides_through_block(const TilingCandidate &c) {
    const bool strides = has_whole_rows(c.tiling) || has_spread_points(c.tiling);
    return strides ? Verdict(Finding{}) : std::nullopt;
}

Verdict does_not_slide(const KernelCandidate &c) {
    return why_no_walk(c.dag, c.kernel) ? Verdict(Finding{}) : std::nullopt;
}

// Halide makes code without guards for tiles that nothing cuts short, but not around barriers: each
// point in the loop of a sum keeps its guard there.
Verdict has_guarded_registers(const KernelCandidate &c) {
    const bool has_barriers = c.kernel.blocks->body.size() > 1;
    return has_barriers && cuts_in_threads(c.dag, c.kernel) ? Verdict(Finding{}) : std::nullopt;
}

Verdict has_aligned_tiles(const KernelCandidate &c) {
    return c.kernel.aligned ? Verdict(Finding{}) : std::nullopt;
}

}  // namespace

std::vector<AnyRule> nesting_rules() {
    return {
        FusionRule{{"nested_fusion",
                    "a Func in the loop of a reduction of the block, or in the threads of another "
                    "Func in the block (Sioutas 2020, Listing 2)",
                    InForce::on_request},
                   FusionCandidate::Asked::complete,
                   in_another_func},
        FusionRule{{"updates_in_registers", "a Func with updates in the registers of threads",
                    InForce::on_request},
                   FusionCandidate::Asked::complete,
                   updates_in_registers},
        FusionRule{{"guarded_barrier",
                    "a reduction in order in a block all of whose readers are under conditions, "
                    "which Halide then puts around its barriers as well",
                    InForce::always, "Halide"},
                   FusionCandidate::Asked::complete,
                   has_guarded_barrier},
        FusionRule{{"doubtful_barrier",
                    "what is computed in a block and may not be needed there at all, so that its "
                    "barriers may be under that condition",
                    InForce::on_request},
                   FusionCandidate::Asked::complete,
                   has_doubtful_barrier},
        TilingRule{{"whole_rows", "a block through whose rows, or whose tile, its threads stride",
                    InForce::on_request},
                   TilingCandidate::Asked::complete,
                   strides_through_block},
        KernelRule{{"no_sliding",
                    "a block that does several tiles, and computes what does not slide along",
                    InForce::always, "Halide"},
                   KernelCandidate::Asked::complete,
                   does_not_slide},
        KernelRule{{"guarded_registers",
                    "arrays in registers of threads whose points may be cut short, beside other "
                    "stages of the block",
                    InForce::always, "Halide"},
                   KernelCandidate::Asked::complete,
                   has_guarded_registers},
        KernelRule{{"aligned_tiles",
                    "a block whose tiles must begin at multiples of their size, for else what is "
                    "computed in it has no constant extents",
                    InForce::on_request},
                   KernelCandidate::Asked::complete,
                   has_aligned_tiles},
    };
}

}  // namespace autoschedule_gpu
