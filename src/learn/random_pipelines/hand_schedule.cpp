#include "learn/random_pipelines/hand_schedule.h"

namespace autoschedule_gpu::random_pipelines {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::Internal::Call;

namespace {

void tile(Func func) {
    const std::vector<Var> args = func.args();
    Var xi("xi"), yi("yi"), xo("xo"), yo("yo");
    if (args.size() == 1) {
        func.gpu_tile(args[0], xo, xi, 16, TailStrategy::GuardWithIf);
    } else {
        func.gpu_tile(args[0], args[1], xo, yo, xi, yi, 16, 4, TailStrategy::GuardWithIf);
    }
}

// Finds what some API's kernels can't have.
class HostFinder : public Halide::Internal::IRGraphVisitor {
public:
    bool found = false;

private:
    using IRGraphVisitor::visit;

    void visit(const Call *call) override {
        found = found || call->is_intrinsic({Call::popcount, Call::count_leading_zeros,
                                             Call::count_trailing_zeros, Call::bitwise_not});
        if (call->func.defined()) {
            const Halide::Internal::Function read(call->func);
            found = found || read.schedule().memoized() || read.schedule().async();
        }
        found = found || is_narrow_float(call->type);
        IRGraphVisitor::visit(call);
    }
    void visit(const Halide::Internal::Cast *cast) override {
        const bool is_to_boolean = cast->type.is_bool() && !cast->value.type().is_bool();
        found = found || is_to_boolean || is_narrow_float(cast->type);
        IRGraphVisitor::visit(cast);
    }

    static bool is_narrow_float(const Halide::Type &type) {
        return type.is_float() && type.bits() < 32;
    }
};

}  // namespace

bool fits_every_kernel(const Func &func) {
    const Halide::Internal::Function function = func.function();
    if (function.schedule().memoized() || function.schedule().async()) return false;
    for (const Halide::Type &type : function.output_types()) {
        if (type.is_bool()) return false;
    }
    HostFinder finder;
    function.accept(&finder);
    return !finder.found;
}

void apply(const HandSchedule &schedule) {
    using Form = HandSchedule::Form;
    Func func = schedule.func;
    func.compute_root();
    for (int i = 0; i < func.num_update_definitions(); ++i) func.update(i).unscheduled();
    const std::vector<Var> args = func.args();
    if (args.empty()) return;
    if (schedule.form == Form::tiles) tile(func);
    if (schedule.form == Form::parallel) func.parallel(args.back());
    if (schedule.form == Form::vectors) func.vectorize(args[0], 4, TailStrategy::GuardWithIf);
}

std::string_view to_string(HandSchedule::Form form) {
    constexpr std::string_view kNames[] = {"at root", "in tiles on the GPU", "in parallel",
                                           "in vectors"};
    return kNames[static_cast<size_t>(form)];
}

}  // namespace autoschedule_gpu::random_pipelines
