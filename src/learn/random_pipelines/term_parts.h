// What several kinds of Funcs are made of.
#pragma once

#include "learn/random_pipelines/pipeline_builder.h"

namespace autoschedule_gpu::random_pipelines {

// The greatest integer that is no greater.
inline Halide::Expr whole(const Term &term) {
    return term.is_float() ? Halide::cast<int>(Halide::floor(term.expr)) : term.expr;
}

inline Halide::Expr zero(const Term &like) {
    return Halide::cast(like.expr.type(), 0);
}

inline Halide::RDom domain(Span span, const char *name = "r") {
    return Halide::RDom(span.lo, span.extent(), name);
}

// A Func of its own in front of a kind, which a schedule may put anywhere.
inline Value &stage_before(PipelineBuilder &builder, Value &source) {
    FuncBuilder draft = builder.draft("before", builder.nominal_of(source));
    return builder.define(draft, builder.modify(draft.read(source, draft.in_place())));
}

}  // namespace autoschedule_gpu::random_pipelines
