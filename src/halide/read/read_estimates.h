// Answers what is known about the sizes and parameters of a pipeline before it runs: facts
// (constraints and constant buffers), and estimates (what the user expects).
#pragma once

#include <Halide.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/dag/interval.h"
#include "halide/read/given_sizes.h"
#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {

// What the user has given no estimate of, a sentence for each: without some nothing can be said of
// sizes; of others something is assumed.
struct Gaps {
    std::set<std::string> missing, assumed;
};

// Which values parameters and buffers' sizes have: the estimated ones, or others, larger ones, to
// see what depends on them.
enum class Values : uint8_t { estimated, larger };

class Estimates {
public:
    // `sizes` take the place of what the user expects, and of nothing that is a fact.
    explicit Estimates(const std::vector<HI::Function> &outputs, GivenSizes sizes = {});

    // Replaces what is a compile-time constant for Halide as well: sizes of Buffers, sizes that a
    // constraint (set_extent, set_stride ...) fixes, elements of Buffers at constant coordinates.
    Halide::Expr with_facts(const Halide::Expr &expr) const;

    // Replaces every parameter as well. The size of an image without an estimate stays in the
    // expression, a scalar parameter becomes what is assumed of it; `gaps` says so. Elements of
    // image parameters, about which nothing can be known, become zero.
    Halide::Expr with_estimates(const Halide::Expr &expr, Gaps &gaps,
                                Values values = Values::estimated) const;

    // Returns with_estimates, simplified, if that is an integer.
    std::optional<int64_t> integer(const Halide::Expr &expr, Gaps &gaps) const;

    // Returns the estimated range of one dimension of an image parameter or output buffer; nullopt
    // if the user gave none.
    std::optional<Interval> dimension(const Halide::Parameter &param, int dim) const;

    // Returns the estimate of one dimension of a Func: its fixed range, else that of set_estimate,
    // of bound, or of its output buffer, in this order; nullopt if there is none.
    std::optional<Interval> dimension(const HI::Function &func, int dim) const;

    // Returns the value of a scalar parameter that is expected; undefined if there is none.
    Halide::Expr scalar(const Halide::Parameter &param) const;

    // Returns the range that every buffer for an output must have, whatever its caller wishes:
    // constants given by Func::bound or, for the buffer, by set_bounds. nullopt if there are none.
    std::optional<Interval> fixed(const HI::Function &output, int dim) const;

    // Whether all buffers of an output are declared to begin there at a constant.
    static bool has_constant_min(const HI::Function &output, int dim);

private:
    // Returns the output Func whose output buffer has that name; nullptr for other parameters.
    const HI::Function *output_of(const std::string &param) const;

    std::map<std::string, HI::Function> output_buffers_;
    GivenSizes sizes_;
};

}  // namespace autoschedule_gpu::reading
