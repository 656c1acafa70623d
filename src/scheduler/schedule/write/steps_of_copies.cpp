#include "scheduler/schedule/write/steps_of_copies.h"

#include <functional>
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

struct Steps {
    size_t loop;
    int64_t count;
};

// Several steps at once in a branch of their own, which `specialize` begins and `add` adds to, and
// one by one elsewhere.
void write_steps(DirectiveList &out, StageId stage, Steps of, Tiles tiles,
                 const std::function<void()> &specialize, const std::function<void()> &add) {
    const Dag &dag = out.dag();
    const LoopRef loop = original(dag, stage, of.loop);
    const LoopRef rest = loop_over_copies(dag, stage, of.loop);
    const LoopRef steps = made(dag, stage, of.loop, "u");
    if (tiles == Tiles::full) {
        specialize();
        out.in_branch(Branch::aligned, [&] {
            out.split(stage, loop, rest, steps, of.count, TailStrategy::guard_with_if);
            out.add(stage, DirectiveOp::unroll).loops = {steps};
            add();
        });
    }
    out.split(stage, loop, rest, steps, 1, TailStrategy::guard_with_if);
}

}  // namespace

void write_four_steps(DirectiveList &out, const Kernel &kernel, StageId stage,
                      const StepVectors &vectors, Tiles tiles) {
    write_steps(
        out, stage, {vectors.loop, kVectorElements}, tiles,
        [&] { specialize_aligned(out, kernel, stage, vectors); },
        [&] {
            if (const std::optional<size_t> row = vector_loop(out.dag(), kernel, stage)) {
                out.add(stage, DirectiveOp::vectorize).loops = {original(out.dag(), stage, *row)};
            }
        });
}

void write_steps_ahead(DirectiveList &out, StageId stage, const LoadsAhead &ahead, Tiles tiles) {
    write_steps(
        out, stage, {ahead.loop, ahead.steps}, tiles,
        [&] {
            Directive &specialize = out.add(stage, DirectiveOp::specialize_steps);
            specialize.loops = {original(out.dag(), stage, ahead.loop)};
            specialize.factor = ahead.steps;
        },
        [] {});
}

void StepCopies::write(DirectiveList &out, const Nest &nest, FuncId func) {
    const Dag &dag = out.dag();
    for (const StageId stage : dag.func(func).stages) {
        const Kernel &kernel = *home_of(nest, stage).kernel;
        if (const std::optional<StepVectors> vectors = step_vectors(dag, kernel, stage)) {
            for (const StepVector &vector : vectors->reads) {
                write_copy(out, stage, vector.read, loop_over_copies(dag, stage, vectors->loop),
                           DirectiveOp::vectorize);
            }
        }
        if (const std::optional<LoadsAhead> ahead = loads_ahead(dag, kernel, stage)) {
            for (const FuncId read : ahead->reads) {
                write_copy(out, stage, read, loop_over_copies(dag, stage, ahead->loop),
                           DirectiveOp::unroll);
            }
        }
    }
}

void StepCopies::write_copy(DirectiveList &out, StageId reader, FuncId read, const LoopRef &loop,
                            DirectiveOp rows) {
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
        add_to_copy(d == 0 ? rows : DirectiveOp::unroll).loops = {
            {static_cast<int>(d), of.dims[d].name}};
    }
    ++next_;
}

}  // namespace autoschedule_gpu::writing
