#include "pipelines/both_sides.h"

namespace autoschedule_gpu::testing {

namespace {

using Halide::Internal::IRMutator;
using Halide::Internal::Select;

// Makes each condition depend on a Param, so that Halide can't tell where it holds.
class UnsolvableConditions : public IRMutator {
    using IRMutator::visit;
    Halide::Expr visit(const Select *select) override {
        return Select::make(mutate(select->condition) != never_, mutate(select->true_value),
                            mutate(select->false_value));
    }

    Halide::Param<bool> never_{false};
};

}  // namespace

void ask_for_both_sides(Halide::Func func) {
    UnsolvableConditions mutator;
    func.function().mutate(&mutator);
}

}  // namespace autoschedule_gpu::testing
