#include "halide/read/read_estimates.h"

#include <sstream>

#include "core/dag/strides.h"

namespace autoschedule_gpu::reading {
namespace {

using Halide::Expr;
using Halide::Parameter;

// A constraint may refer to other sizes (stride of y = extent of x * 3), and these to further ones;
// this ends cycles.
constexpr int kMaxConstraintDepth = 8;

enum class Property { min, extent, stride, none };

struct SizeVariable {
    Property property = Property::none;
    int dim = 0;
};

// Parses the name of a size: "im.extent.1" is the extent of dimension 1.
SizeVariable size_variable(const std::string &name) {
    const size_t last = name.rfind('.');
    if (last == std::string::npos || last == 0) return {};
    const size_t before = name.rfind('.', last - 1);
    if (before == std::string::npos) return {};
    const std::string property = name.substr(before + 1, last - before - 1);
    const int dim = std::atoi(name.c_str() + last + 1);
    if (property == "min") return {Property::min, dim};
    if (property == "extent") return {Property::extent, dim};
    if (property == "stride") return {Property::stride, dim};
    return {};
}

Expr constraint(const Parameter &param, SizeVariable size) {
    if (!param.is_buffer() || size.dim >= param.dimensions()) return {};
    switch (size.property) {
        case Property::min:
            return param.min_constraint(size.dim);
        case Property::extent:
            return param.extent_constraint(size.dim);
        case Property::stride:
            return param.stride_constraint(size.dim);
        case Property::none:
            break;
    }
    return {};
}

// Returns the element of a constant buffer at constant coordinates; undefined for any other call.
Expr element(const HI::Call *call, const std::vector<Expr> &args) {
    const Halide::Buffer<> &image = call->image;
    if (!image.defined() || image.data() == nullptr) return {};
    std::vector<int> position;
    for (const Expr &arg : args) {
        const auto coordinate = HI::as_const_int(HI::simplify(arg));
        const int dim = static_cast<int>(position.size());
        if (!coordinate || *coordinate < image.dim(dim).min() ||
            *coordinate > image.dim(dim).max()) {
            return {};
        }
        position.push_back(static_cast<int>(*coordinate));
    }
    Halide::Buffer<> copy = image;
    const void *address = copy.raw_buffer()->address_of(position.data());
    const Halide::Type type = call->type;
    const auto make = [&](auto zero) -> Expr {
        std::memcpy(&zero, address, sizeof(zero));
        return HI::make_const(type, zero);
    };
    if (type.is_float()) return type.bits() == 32 ? make(float{}) : Expr();
    if (type.is_int() || type.is_uint()) {
        switch (type.bits()) {
            case 8:
                return type.is_int() ? make(int8_t{}) : make(uint8_t{});
            case 16:
                return type.is_int() ? make(int16_t{}) : make(uint16_t{});
            case 32:
                return type.is_int() ? make(int32_t{}) : make(uint32_t{});
            default:
                break;
        }
    }
    return {};
}

class Facts : public HI::IRGraphMutator {
protected:
    using HI::IRGraphMutator::visit;

    Expr visit(const HI::Variable *op) override {
        const SizeVariable size = size_variable(op->name);
        if (op->image.defined() && size.property != Property::none &&
            size.dim < op->image.dimensions()) {
            return buffer_size(op->image, size);
        }
        if (op->param.defined() && size.property != Property::none) {
            const Expr known = constraint(op->param, size);
            if (known.defined() && depth_ < kMaxConstraintDepth) {
                depth_++;
                const Expr result = mutate(known);
                depth_--;
                return result;
            }
        }
        return unknown(op, size);
    }

    Expr visit(const HI::Call *op) override {
        if (op->call_type != HI::Call::Image) return HI::IRGraphMutator::visit(op);
        const std::vector<Expr> args = mutate(op->args);
        const Expr value = element(op, args);
        return value.defined() ? value : unknown(op);
    }

    virtual Expr unknown(const HI::Variable *op, SizeVariable) { return op; }
    virtual Expr unknown(const HI::Call *op) { return op; }

private:
    static Expr buffer_size(const Halide::Buffer<> &image, SizeVariable size) {
        const auto dim = image.dim(size.dim);
        switch (size.property) {
            case Property::min:
                return dim.min();
            case Property::extent:
                return dim.extent();
            default:
                return dim.stride();
        }
    }

    int depth_ = 0;
};

// The value that a parameter has at present, or, if that is zero, as that of one which was never
// set, one; or what is nearest in its range.
Expr default_of(const Parameter &param) {
    const Expr one = HI::make_one(param.type());
    Expr value = param.has_scalar_value() ? param.scalar_expr() : one;
    if (HI::is_const_zero(value) && !param.type().is_bool()) value = one;
    if (param.max_value().defined()) value = Halide::min(value, param.max_value());
    if (param.min_value().defined()) value = Halide::max(value, param.min_value());
    return HI::simplify(value);
}

class WithEstimates : public Facts {
public:
    WithEstimates(const Estimates &estimates, const std::map<std::string, HI::Function> &outputs,
                  Gaps &gaps, Values values)
        : estimates_(estimates), outputs_(outputs), gaps_(gaps), values_(values) {}

private:
    Expr unknown(const HI::Variable *op, SizeVariable size) override {
        if (!op->param.defined()) return op;
        if (!op->param.is_buffer()) return scalar(op);
        if (size.property == Property::none) return op;
        const auto range = dimension(op->param, size.dim);
        if (!range) {
            gaps_.missing.insert(missing_image(op->param, size.dim));
            return op;
        }
        switch (size.property) {
            case Property::min:
                return static_cast<int>(range->min);
            case Property::extent:
                return wanted(static_cast<int>(range->extent()));
            default:
                return wanted(stride(op, size.dim));
        }
    }

    Expr unknown(const HI::Call *op) override { return HI::make_zero(op->type); }

    // What is larger is so by an odd number and by more than a factor, so that zero, quotients and
    // remainders differ, too.
    Expr wanted(const Expr &estimate) const {
        if (values_ == Values::estimated || estimate.type().is_bool()) return estimate;
        return HI::simplify(2 * estimate + HI::make_const(estimate.type(), 17));
    }

    std::optional<Interval> dimension(const Parameter &param, int dim) const {
        const auto output = outputs_.find(param.name());
        if (output != outputs_.end()) return estimates_.dimension(output->second, dim);
        return estimates_.dimension(param, dim);
    }

    // An address, as that of a user's context, has no estimate, and no size follows from it.
    Expr scalar(const HI::Variable *op) {
        if (op->type.is_handle()) return op;
        const Expr estimate = estimates_.scalar(op->param);
        if (estimate.defined()) return wanted(HI::simplify(Halide::cast(op->type, estimate)));
        const Expr assumed = default_of(op->param);
        const std::string &name = op->param.name();
        std::ostringstream text;
        text << "parameter " << name << " has no estimate, " << assumed << " is assumed: " << name
             << ".set_estimate(value) says what to schedule for";
        gaps_.assumed.insert(text.str());
        return wanted(assumed);
    }

    Expr stride(const HI::Variable *op, int dim) {
        int64_t stride = 1;
        for (int inner = 0; inner < dim; inner++) {
            const auto range = dimension(op->param, inner);
            if (!range) {
                gaps_.missing.insert(missing_image(op->param, inner));
                return op;
            }
            stride = outer_stride(stride, range->extent());
        }
        return static_cast<int>(stride);
    }

    static std::string missing_image(const Parameter &param, int dim) {
        const std::string &name = param.name();
        return "image " + name + " needs an estimate for dimension " + std::to_string(dim) + ": " +
               name + ".dim(" + std::to_string(dim) + ").set_estimate(min, extent)";
    }

    const Estimates &estimates_;
    const std::map<std::string, HI::Function> &outputs_;
    Gaps &gaps_;
    const Values values_;
};

std::optional<Interval> range_of(const Expr &min, const Expr &extent) {
    if (!min.defined() || !extent.defined()) return {};
    const auto lo = HI::as_const_int(HI::simplify(min));
    const auto count = HI::as_const_int(HI::simplify(extent));
    if (!lo || !count) return {};
    return Interval::from_extent(*lo, *count);
}

// The range of one dimension that is given under that name, if it is.
std::optional<Interval> given(const std::map<std::string, std::vector<Interval>> &sizes,
                              const std::string &name, int dim) {
    const auto found = sizes.find(name);
    if (found == sizes.end() || static_cast<size_t>(dim) >= found->second.size()) return {};
    return found->second[static_cast<size_t>(dim)];
}

}  // namespace

Estimates::Estimates(const std::vector<HI::Function> &outputs, GivenSizes sizes)
    : sizes_(std::move(sizes)) {
    for (const HI::Function &output : outputs) {
        for (const Parameter &buffer : output.output_buffers()) {
            output_buffers_.emplace(buffer.name(), output);
        }
    }
}

Expr Estimates::with_facts(const Expr &expr) const {
    return Facts().mutate(expr);
}

Expr Estimates::with_estimates(const Expr &expr, Gaps &gaps, Values values) const {
    return WithEstimates(*this, output_buffers_, gaps, values).mutate(expr);
}

std::optional<int64_t> Estimates::integer(const Expr &expr, Gaps &gaps) const {
    return HI::as_const_int(HI::simplify(with_estimates(expr, gaps)));
}

std::optional<Interval> Estimates::dimension(const Parameter &param, int dim) const {
    const auto first = [](const Expr &a, const Expr &b) { return a.defined() ? a : b; };
    // A size that is fixed may have an estimate as well; the fixed value wins.
    const Expr min = first(param.min_constraint(dim), param.min_constraint_estimate(dim));
    const Expr extent = first(param.extent_constraint(dim), param.extent_constraint_estimate(dim));
    if (const auto range = given(sizes_.inputs, param.name(), dim)) return range;
    if (const auto range = range_of(min, extent)) return range;
    return range_of(param.min_constraint_estimate(dim), param.extent_constraint_estimate(dim));
}

Expr Estimates::scalar(const Parameter &param) const {
    const auto found = sizes_.scalars.find(param.name());
    if (found == sizes_.scalars.end()) return param.estimate();
    return HI::make_const(Halide::Float(64), found->second);
}

std::optional<Interval> Estimates::dimension(const HI::Function &func, int dim) const {
    if (const auto range = fixed(func, dim)) return range;
    if (const auto range = given(sizes_.outputs, func.name(), dim)) return range;
    Gaps ignored;
    const auto evaluated = [&](const Expr &e) {
        return e.defined() ? HI::simplify(with_estimates(e, ignored)) : e;
    };
    const auto &estimates = func.schedule().estimates();
    for (auto it = estimates.rbegin(); it != estimates.rend(); ++it) {
        if (it->var != func.args()[dim]) continue;
        if (const auto range = range_of(evaluated(it->min), evaluated(it->extent))) return range;
    }
    for (const HI::Bound &bound : func.schedule().bounds()) {
        if (bound.var != func.args()[dim]) continue;
        if (const auto range = range_of(evaluated(bound.min), evaluated(bound.extent))) {
            return range;
        }
    }
    for (const Parameter &buffer : func.output_buffers()) {
        if (const auto range = dimension(buffer, dim)) return range;
    }
    return {};
}

std::optional<Interval> Estimates::fixed(const HI::Function &output, int dim) const {
    for (const HI::Bound &bound : output.schedule().bounds()) {
        if (bound.var != output.args()[dim]) continue;
        if (const auto range = range_of(bound.min, bound.extent)) return range;
    }
    std::optional<Interval> range;
    for (const Parameter &buffer : output.output_buffers()) {
        const auto of_buffer = range_of(buffer.min_constraint(dim), buffer.extent_constraint(dim));
        if (!of_buffer || (range && *range != *of_buffer)) return {};
        range = of_buffer;
    }
    return range;
}

bool Estimates::has_constant_min(const HI::Function &output, int dim) {
    return std::ranges::all_of(output.output_buffers(), [&](const Parameter &buffer) {
        const Halide::Expr min = buffer.min_constraint(dim);
        return min.defined() && HI::as_const_int(min);
    });
}

}  // namespace autoschedule_gpu::reading
