#include "pipelines/plain_schedule.h"

#include <map>

namespace autoschedule_gpu::testing {

using Halide::Func;
using Halide::Stage;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

namespace {

std::vector<Func> funcs_of(Halide::Pipeline pipeline) {
    std::vector<Halide::Internal::Function> outputs;
    for (const Func &output : pipeline.outputs()) outputs.push_back(output.function());
    std::vector<Func> funcs;
    const size_t count = Halide::Internal::build_environment(outputs).size();
    for (size_t i = 0; i < count; ++i) funcs.push_back(pipeline.get_func(i));
    return funcs;
}

bool on_host(const Func &func) {
    return func.function().has_extern_definition() || func.function().schedule().memoized();
}

// Pure loops outermost, at most three of them on blocks; others stay serial around the kernel.
void put_on_gpu(Stage stage) {
    std::vector<Var> pure;
    for (const Halide::Internal::Dim &dim : stage.get_schedule().dims()) {
        if (!dim.is_rvar() && dim.var != Var::outermost().name()) pure.emplace_back(dim.var);
    }
    if (pure.empty()) {
        stage.gpu_single_thread();
        return;
    }
    Var xi, yi, xo, yo;
    stage.split(pure[0], xo, xi, 16, TailStrategy::GuardWithIf);
    if (pure.size() == 1) {
        stage.reorder(xi, xo).gpu_blocks(xo).gpu_threads(xi);
        return;
    }
    stage.split(pure[1], yo, yi, 8, TailStrategy::GuardWithIf);
    std::vector<VarOrRVar> order = {xi, yi, xo, yo};
    for (size_t d = 2; d < pure.size(); ++d) order.emplace_back(pure[d]);
    stage.reorder(order).gpu_threads(xi, yi);
    if (pure.size() == 2) {
        stage.gpu_blocks(xo, yo);
    } else {
        stage.gpu_blocks(xo, yo, pure[2]);
    }
}

}  // namespace

void apply_plain_schedule(Halide::Pipeline pipeline) {
    for (Func func : funcs_of(pipeline)) {
        func.compute_root();
        if (on_host(func)) continue;
        put_on_gpu(Stage(func));
        for (int i = 0; i < func.num_update_definitions(); ++i) put_on_gpu(func.update(i));
    }
}

void apply_reference_schedule(Halide::Pipeline pipeline, const std::vector<Func> &inline_only) {
    for (Func func : funcs_of(pipeline)) {
        bool at_root = true;
        for (const Func &other : inline_only) at_root = at_root && other.name() != func.name();
        if (at_root) func.compute_root();
        for (int i = 0; i < func.num_update_definitions(); ++i) func.update(i).unscheduled();
    }
}

}  // namespace autoschedule_gpu::testing
