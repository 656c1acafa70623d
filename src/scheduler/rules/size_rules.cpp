// What must hold for images of other sizes than were estimated.
#include "scheduler/rules/families.h"

namespace autoschedule_gpu {

namespace {

Verdict covers_most_of_an_output(const KernelCandidate &c) {
    const bool may_be_too_large = !is_alone(c.kernel) && covers_most(c.dag, c.kernel) &&
                                  c.dag.func_of(c.kernel.stage).stages.size() == 1;
    return may_be_too_large ? Verdict(Finding{}) : std::nullopt;
}

}  // namespace

std::vector<AnyRule> size_rules() {
    return {
        KernelRule{{"tile_of_most",
                    "a tile with other Funcs in it that covers most of a dimension of an output, "
                    "which may come smaller"},
                   KernelCandidate::Asked::complete,
                   covers_most_of_an_output},
    };
}

}  // namespace autoschedule_gpu
