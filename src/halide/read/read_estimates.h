// What is known about the sizes and parameters of a pipeline before it runs: constraints and
// constant buffers (facts), and estimates (what the user expects).
#pragma once

#include <Halide.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/dag/interval.h"
#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {

class Estimates {
public:
    explicit Estimates(const std::vector<HI::Function> &outputs);

    // Replaces what is a compile-time constant for Halide too: sizes of Buffers, sizes that a
    // constraint (set_extent, set_stride ...) fixes, elements of Buffers at constant coordinates.
    Halide::Expr with_facts(const Halide::Expr &expr) const;

    // Replaces every parameter, too. What has no estimate stays in the expression, and a sentence
    // about it is added to `missing`. Elements of image parameters, about which nothing can be
    // known, become zero.
    Halide::Expr with_estimates(const Halide::Expr &expr, std::set<std::string> &missing) const;

    // with_estimates, simplified, when that is an integer.
    std::optional<int64_t> integer(const Halide::Expr &expr, std::set<std::string> &missing) const;

    // The estimated range of one dimension of an image parameter or output buffer; empty optional
    // when the user gave none.
    std::optional<Interval> dimension(const Halide::Parameter &param, int dim) const;

    // The estimate of one dimension of a Func: where it is fixed that, else set_estimate, bound, or
    // its output buffer's.
    std::optional<Interval> dimension(const HI::Function &func, int dim) const;

    // What every buffer for an output must cover, whatever its caller wishes: constants given by
    // Func::bound or, for the buffer, by set_bounds.
    std::optional<Interval> fixed(const HI::Function &output, int dim) const;

private:
    // The output Func whose output buffer has that name, nullptr for other parameters.
    const HI::Function *output_of(const std::string &param) const;

    std::map<std::string, HI::Function> output_buffers_;
};

}  // namespace autoschedule_gpu::reading
