#include "halide/apply/at_root.h"

#include <optional>
#include <string>
#include <vector>

#include "halide/apply/apply.h"

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;

// The outermost variable of a stage whose iterations depend on nothing of each other: one of the
// Func's own that stands in its own place.
std::optional<Halide::Var> outermost_pure(const std::vector<Halide::Var> &args,
                                          const std::vector<Halide::Expr> &of_stage) {
    for (size_t i = args.size(); i-- > 0;) {
        const auto *variable = of_stage[i].as<ir::Variable>();
        if (variable != nullptr && variable->name == args[i].name()) return args[i];
    }
    return std::nullopt;
}

}  // namespace

void schedule_at_root(const Halide::Pipeline &pipeline) {
    for (Halide::Func func : all_funcs(pipeline)) {
        func.compute_root();
        const std::vector<Halide::Var> args = func.args();
        if (func.is_extern() || args.empty()) continue;
        func.parallel(args.back());
        for (int i = 0; i < func.num_update_definitions(); ++i) {
            const auto outermost = outermost_pure(args, func.update_args(i));
            if (outermost) func.update(i).parallel(*outermost);
        }
    }
}

}  // namespace autoschedule_gpu
