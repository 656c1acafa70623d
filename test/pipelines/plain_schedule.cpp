#include "pipelines/plain_schedule.h"

#include <set>

#include "pipelines/both_sides.h"

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

bool contains(const std::vector<Func> &funcs, const Func &func) {
    for (const Func &other : funcs) {
        if (other.name() == func.name()) return true;
    }
    return false;
}

// Finds what only the CPU can do: calls of C functions (print is one of them), and require.
class HostCallVisitor : public Halide::Internal::IRGraphVisitor {
public:
    bool found = false;

private:
    using IRGraphVisitor::visit;
    void visit(const Halide::Internal::Call *call) override {
        using Halide::Internal::Call;
        found = found || call->call_type == Call::Extern ||
                call->call_type == Call::ExternCPlusPlus || call->is_intrinsic(Call::require);
        IRGraphVisitor::visit(call);
    }
};

bool on_host(const Func &func, const std::set<std::string> &read_by_extern) {
    const Halide::Internal::Function function = func.function();
    HostCallVisitor calls;
    function.accept(&calls);
    return calls.found || function.has_extern_definition() || read_by_extern.count(func.name());
}

// Halide leaves it to an extern stage to fetch its inputs from the device, and a C function that
// was written for the CPU does not: what it reads stays on the host.
std::set<std::string> funcs_read_by_extern_stages(const std::vector<Func> &funcs) {
    std::set<std::string> names;
    for (const Func &func : funcs) {
        for (const Halide::ExternFuncArgument &arg : func.function().extern_arguments()) {
            if (arg.is_func()) names.insert(Halide::Internal::Function(arg.func).name());
        }
    }
    return names;
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

void apply_plain_schedule(Halide::Pipeline pipeline, const std::vector<Func> &inline_only) {
    const std::vector<Func> funcs = funcs_of(pipeline);
    const std::set<std::string> read_by_extern = funcs_read_by_extern_stages(funcs);
    for (Func func : funcs) {
        if (contains(inline_only, func)) continue;
        func.compute_root();
        if (on_host(func, read_by_extern)) continue;
        put_on_gpu(Stage(func));
        for (int i = 0; i < func.num_update_definitions(); ++i) put_on_gpu(func.update(i));
    }
}

void apply_reference_schedule(Halide::Pipeline pipeline, const std::vector<Func> &inline_only) {
    for (Func func : funcs_of(pipeline)) {
        ask_for_both_sides(func);
        if (!contains(inline_only, func)) func.compute_root();
        for (int i = 0; i < func.num_update_definitions(); ++i) func.update(i).unscheduled();
    }
}

}  // namespace autoschedule_gpu::testing
