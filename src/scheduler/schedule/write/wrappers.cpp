#include "scheduler/schedule/write/wrappers.h"

#include <algorithm>

namespace autoschedule_gpu::writing {

namespace {

// An inlined wrapper is needed only by another that wraps it.
bool is_made(const Dag &dag, const Nest &nest, FuncId wrapper) {
    if (nest.place(wrapper) != Place::inlined) return true;
    for (size_t i = wrapper.index() + 1; i < dag.funcs.size(); ++i) {
        if (dag.funcs[i].wraps == wrapper && is_made(dag, nest, FuncId(i))) return true;
    }
    return false;
}

void write_in(DirectiveList &out, FuncId wrapper, FuncId wrapped, FuncId reader) {
    Directive &in = out.add(wrapper, DirectiveOp::in);
    in.wrapped_func = out.dag().func(wrapped).halide_index;
    if (reader.valid()) in.reader_func = out.dag().func(reader).halide_index;
}

}  // namespace

void write_wrappers(DirectiveList &out, const Nest &nest) {
    const Dag &dag = out.dag();
    for (size_t i = 0; i < dag.funcs.size(); ++i) {
        const Func &func = dag.funcs[i];
        if (func.users_wrapper_of.valid()) {
            write_in(out, FuncId(i), func.users_wrapper_of, func.users_wrapper_for);
        } else if (func.wraps.valid() && is_made(dag, nest, FuncId(i))) {
            write_in(out, FuncId(i), func.wraps, func.reader);
        }
    }
}

int first_free_number(const Dag &dag, const Nest &nest) {
    int next = 0;
    for (size_t i = 0; i < dag.funcs.size(); ++i) {
        const Func &func = dag.funcs[i];
        if (func.wraps.valid() && !is_made(dag, nest, FuncId(i))) continue;
        next = std::max(next, func.halide_index + 1);
    }
    return next;
}

}  // namespace autoschedule_gpu::writing
