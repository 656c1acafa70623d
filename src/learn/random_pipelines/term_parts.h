// Expressions that several kinds of Funcs are made of.
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

}  // namespace autoschedule_gpu::random_pipelines
