// As much of a Dag as the schedule module needs (Funcs, stages, loops, names of
// dimensions; no loads, no regions), read straight from a Halide pipeline: these tests must not
// depend on halide/read, which they precede.
#pragma once

#include <Halide.h>

#include "core/dag/dag.h"

namespace autoschedule_gpu::test {

inline Loop loop_of(const Halide::Internal::Dim &dim, const std::vector<Halide::Var> &args) {
    Loop loop;
    loop.name = dim.var;
    loop.kind = dim.is_rvar() ? Loop::Kind::reduction : Loop::Kind::pure;
    loop.parallel = dim.is_pure();
    for (size_t i = 0; i < args.size(); ++i) {
        if (!dim.is_rvar() && args[i].name() == dim.var) loop.dim = static_cast<int>(i);
    }
    return loop;
}

inline Dag dag_skeleton(Halide::Pipeline pipeline) {
    Dag dag;
    std::vector<Halide::Internal::Function> outputs;
    for (const Halide::Func &output : pipeline.outputs()) outputs.push_back(output.function());
    const size_t count = Halide::Internal::build_environment(outputs).size();
    for (size_t i = 0; i < count; ++i) {
        Halide::Func halide_func = pipeline.get_func(i);
        Func func;
        func.name = halide_func.name();
        func.halide_index = static_cast<int>(i);
        for (const Halide::Var &arg : halide_func.args()) func.dims.push_back({arg.name(), {}, 1});
        for (const Halide::Internal::Function &output : outputs) {
            if (output.name() == func.name) func.kind = Func::Kind::output;
        }
        for (int index = 0; index <= halide_func.num_update_definitions(); ++index) {
            Stage stage;
            stage.func = FuncId(i);
            stage.index = index;
            const auto &dims = index == 0 ? halide_func.get_schedule().dims()
                                          : halide_func.update(index - 1).get_schedule().dims();
            for (size_t k = 0; k + 1 < dims.size(); ++k) {
                stage.loops.push_back(loop_of(dims[k], halide_func.args()));
            }
            func.stages.push_back(StageId(dag.stages.size()));
            dag.stages.push_back(std::move(stage));
        }
        dag.funcs.push_back(std::move(func));
    }
    return dag;
}

}  // namespace autoschedule_gpu::test
