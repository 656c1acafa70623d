// Rules about loops inside loops.
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

Verdict strides_through_block(const TilingCandidate &c) {
    const bool strides = has_whole_rows(c.tiling) || has_spread_points(c.tiling);
    return strides ? Verdict(Finding{}) : std::nullopt;
}

Verdict does_not_slide(const KernelCandidate &c) {
    return why_no_walk(c.dag, c.kernel) ? Verdict(Finding{}) : std::nullopt;
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
        TilingRule{{"whole_rows", "a block through whose rows, or whose tile, its threads stride",
                    InForce::on_request},
                   TilingCandidate::Asked::complete,
                   strides_through_block},
        KernelRule{{"no_sliding",
                    "a block that does several tiles, and computes what does not slide along",
                    InForce::always, "Halide"},
                   KernelCandidate::Asked::complete,
                   does_not_slide},
        KernelRule{{"aligned_tiles",
                    "a block whose tiles must begin at multiples of their size, for else what is "
                    "computed in it has no constant extents",
                    InForce::on_request},
                   KernelCandidate::Asked::complete,
                   has_aligned_tiles},
    };
}

}  // namespace autoschedule_gpu
