#include "scheduler/schedule/write/four_steps.h"

#include <optional>
#include <utility>
#include <vector>

#include "scheduler/nest/vectors.h"
#include "scheduler/schedule/write/loop_names.h"
#include "scheduler/schedule/write/sites.h"
#include "scheduler/schedule/write/vectors.h"

namespace autoschedule_gpu::writing {

namespace {

void specialize_aligned(DirectiveList &out, const Kernel &kernel, StageId stage,
                        const StepVectors &vectors) {
    Directive &specialize = out.add(stage, DirectiveOp::specialize_aligned);
    specialize.loops = {original(out.dag(), stage, vectors.loop)};
    if (vector_loop(out.dag(), kernel, stage)) {
        ask_for_aligned_rows(specialize, out.dag(), kernel, stage);
    } else {
        std::vector<FuncId> inputs;
        for (const StepVector &read : vectors.reads) inputs.push_back(read.input);
        specialize.inputs = buffers(out.dag(), inputs);
    }
}

}  // namespace

void write_four_steps(DirectiveList &out, const Kernel &kernel, StageId stage,
                      const StepVectors &vectors, Tiles tiles) {
    const Dag &dag = out.dag();
    const LoopRef loop = original(dag, stage, vectors.loop);
    const LoopRef fours = loop_over_fours(dag, stage, vectors.loop);
    const LoopRef steps = made(dag, stage, vectors.loop, "u");
    if (tiles == Tiles::full) {
        specialize_aligned(out, kernel, stage, vectors);
        out.in_branch(Branch::aligned, [&] {
            out.split(stage, loop, fours, steps, kVectorElements, TailStrategy::guard_with_if);
            out.add(stage, DirectiveOp::unroll).loops = {steps};
            if (const std::optional<size_t> row = vector_loop(dag, kernel, stage)) {
                out.add(stage, DirectiveOp::vectorize).loops = {original(dag, stage, *row)};
            }
        });
    }
    out.split(stage, loop, fours, steps, 1, TailStrategy::guard_with_if);
}

void StepCopies::write(DirectiveList &out, const Nest &nest, FuncId func) {
    const Dag &dag = out.dag();
    for (const StageId stage : dag.func(func).stages) {
        const Kernel &kernel = *home_of(nest, stage).kernel;
        const std::optional<StepVectors> vectors = step_vectors(dag, kernel, stage);
        if (!vectors) continue;
        for (const StepVector &vector : vectors->reads) {
            write_copy(out, stage, vector.read, loop_over_fours(dag, stage, vectors->loop));
        }
    }
}

void StepCopies::write_copy(DirectiveList &out, StageId reader, FuncId read, const LoopRef &loop) {
    const Func &of = out.dag().func(read), &by = out.dag().func_of(reader);
    const auto add_to_copy = [&](DirectiveOp op) -> Directive & {
        Directive directive;
        directive.op = op;
        directive.func = next_;
        directive.func_name = of.name + "_in_" + by.name;
        return out.add(std::move(directive));
    };
    Directive &in = add_to_copy(DirectiveOp::in);
    in.wrapped_func = of.halide_index;
    in.reader_func = by.halide_index;
    out.set_site(add_to_copy(DirectiveOp::compute_at), reader, loop);
    add_to_copy(DirectiveOp::store_in).memory = MemoryKind::registers;
    for (size_t d = 0; d < of.dims.size(); ++d) {
        add_to_copy(d == 0 ? DirectiveOp::vectorize : DirectiveOp::unroll).loops = {
            {static_cast<int>(d), of.dims[d].name}};
    }
    ++next_;
}

}  // namespace autoschedule_gpu::writing
