#include "halide/read/read_ends.h"

#include <cstdlib>
#include <functional>
#include <set>
#include <type_traits>
#include <utility>

#include "halide/read/read_compile.h"

namespace autoschedule_gpu::reading {
namespace {

using Halide::Expr;

// Finds the image that a Func reads by points.
class PointReads : public HI::IRGraphVisitor {
public:
    PointReads(const HI::Function &func, ImagesReadByPoints &images)
        : func_(func), images_(images) {}

    std::optional<ImageSource> found() const { return same_ ? found_ : std::nullopt; }

private:
    using HI::IRGraphVisitor::visit;
    void visit(const HI::Call *op) override {
        const bool is_func = op->call_type == HI::Call::Halide;
        if (op->call_type != HI::Call::Image && !is_func) return HI::IRGraphVisitor::visit(op);
        same_ = same_ && is_point(*op);
        if (!same_) return;
        const std::optional<ImageSource> read = is_func
                                                    ? images_.of(HI::Function(op->func))
                                                    : ImageSource{op->name, op->param, op->image};
        same_ = read && (!found_ || found_->name == read->name);
        found_ = read;
    }

    bool is_point(const HI::Call &call) const {
        if (call.args.size() != func_.args().size()) return false;
        for (size_t d = 0; d < call.args.size(); ++d) {
            const auto *coordinate = call.args[d].as<HI::Variable>();
            if (coordinate == nullptr || coordinate->name != func_.args()[d]) return false;
        }
        return true;
    }

    const HI::Function &func_;
    ImagesReadByPoints &images_;
    std::optional<ImageSource> found_;
    bool same_ = true;
};

bool depends_on_registers(const Expr &expr) {
    struct Finder : HI::IRGraphVisitor {
        bool found = false;
        using IRGraphVisitor::visit;
        void visit(const HI::Variable *op) override { found = found || register_of(op->name) >= 0; }
    } finder;
    expr.accept(&finder);
    return finder.found;
}

// Where a buffer is taken to begin.
enum class Begins : uint8_t { anywhere, at_zero };

// The first and the last coordinate of one dimension of a buffer, which has at least one.
class Ends {
public:
    Ends(const ImageSource &image, int dim, const Estimates &estimates, Begins begins) {
        if (image.buffer.defined()) {
            first_ = image.buffer.dim(dim).min();
            last_ = image.buffer.dim(dim).max();
            return;
        }
        const auto size = [&](const char *property) {
            return HI::Variable::make(
                Halide::Int(32), image.param.name() + property + std::to_string(dim), image.param);
        };
        const Expr extent = size(".extent."), min = size(".min.");
        if (begins == Begins::at_zero) zero_ = min.as<HI::Variable>()->name;
        first_ =
            zero_.empty() ? HI::simplify(estimates.with_facts(min)) : HI::make_zero(min.type());
        last_ = HI::simplify(first_ + estimates.with_facts(extent) - 1);
        some_.push(extent.as<HI::Variable>()->name, HI::Interval(1, HI::Interval::pos_inf()));
    }

    bool is_behind_first(const Expr &end) const {
        return is_limited<HI::Max>(known(end), [&](const Expr &e) { return first_ <= e; });
    }
    bool is_before_last(const Expr &end) const {
        return is_limited<HI::Min>(known(end), [&](const Expr &e) { return e <= last_; });
    }

private:
    using Condition = std::function<Expr(const Expr &)>;

    Expr known(const Expr &end) const {
        return zero_.empty() ? end : HI::simplify(HI::substitute(zero_, 0, end));
    }

    // Of one of the operands of `Limit` it is enough that it is limited, of those of the other
    // operations all must be. What does not depend on what is computed is asked for in any case.
    template <typename Limit>
    bool is_limited(const Expr &end, const Condition &condition) const {
        const auto is = [&](const Expr &e) { return is_limited<Limit>(e, condition); };
        if (const auto *op = end.as<HI::Select>()) {
            return is(op->true_value) && is(op->false_value);
        }
        if (HI::can_prove(condition(end), some_)) return true;
        // Halide draws numbers out of what they are added to both sides of.
        if (const auto *op = end.as<HI::Add>(); op != nullptr && HI::is_const(op->b)) {
            return is_limited<Limit>(op->a, [&](const Expr &e) { return condition(e + op->b); });
        }
        if (const auto *op = end.as<HI::Min>()) return both_or_one<HI::Min, Limit>(*op, is);
        if (const auto *op = end.as<HI::Max>()) return both_or_one<HI::Max, Limit>(*op, is);
        return false;
    }

    template <typename Op, typename Limit, typename Is>
    static bool both_or_one(const Op &op, const Is &is) {
        if constexpr (std::is_same_v<Op, Limit>) {
            return is(op.a) || is(op.b);
        } else {
            const auto may_be = [&](const Expr &e) { return !depends_on_registers(e) || is(e); };
            return may_be(op.a) && may_be(op.b);
        }
    }

    Expr first_, last_;
    std::string zero_;  // what is 0, if anything is
    HI::Scope<HI::Interval> some_;
};

// The sizes of buffers that an interval's ends have.
class SizesMentioned : public HI::IRGraphVisitor {
public:
    explicit SizesMentioned(const HI::Interval &interval) {
        interval.min.accept(this);
        interval.max.accept(this);
    }

    // `name`: "input.extent.0".
    bool has(const std::string &name) const { return names_.contains(name); }
    // The dimensions that these are of.
    const std::map<std::pair<std::string, int>, Halide::Parameter> &dims() const { return dims_; }

private:
    using HI::IRGraphVisitor::visit;
    void visit(const HI::Variable *op) override {
        if (!op->param.defined() || !op->param.is_buffer()) return;
        names_.insert(op->name);
        const int dim = std::atoi(op->name.substr(op->name.rfind('.') + 1).c_str());
        if (dim < op->param.dimensions())
            dims_.emplace(std::pair(op->param.name(), dim), op->param);
    }

    std::set<std::string> names_;
    std::map<std::pair<std::string, int>, Halide::Parameter> dims_;
};

// Whoever clamps to the extent and not to where the buffer begins takes it to begin at 0.
std::vector<Begins> ways_to_begin(const ImageSource &image, int dim, const SizesMentioned &asked,
                                  const Estimates &estimates) {
    if (image.buffer.defined()) return {Begins::anywhere};
    const auto size = [&](const char *property) {
        return image.param.name() + property + std::to_string(dim);
    };
    const std::optional<Interval> estimated = estimates.dimension(image.param, dim);
    const bool may_be_zero = !estimated || estimated->min == 0;
    if (!may_be_zero || !asked.has(size(".extent.")) || asked.has(size(".min."))) {
        return {Begins::anywhere};
    }
    return {Begins::anywhere, Begins::at_zero};
}

void set_ends(const ImageSource &image, int image_dim, const HI::Interval &asked,
              const SizesMentioned &sizes, const Estimates &estimates, RegionDimension &dim) {
    if (!asked.is_bounded()) return;
    const Expr lo = HI::simplify(estimates.with_facts(asked.min));
    const Expr hi = HI::simplify(estimates.with_facts(asked.max));
    for (const Begins begins : ways_to_begin(image, image_dim, sizes, estimates)) {
        const Ends ends(image, image_dim, estimates, begins);
        dim.lo_within = dim.lo_within || ends.is_behind_first(lo);
        dim.hi_within = dim.hi_within || ends.is_before_last(hi);
    }
}

bool is_sum(const RegionDimension &dim) {
    return dim.lo_affine && dim.hi_affine;
}

}  // namespace

const std::optional<ImageSource> &ImagesReadByPoints::of(const HI::Function &func) {
    const auto [place, is_new] = known_.try_emplace(func.name());
    if (!is_new || !func.has_pure_definition() || func.has_update_definition()) {
        return place->second;
    }
    PointReads reads(func, *this);
    for (const Expr &value : func.values()) value.accept(&reads);
    return place->second = reads.found();
}

void find_ends_within(const ImageSource &image, const std::vector<HI::Interval> &box,
                      const Estimates &estimates, std::vector<RegionDimension> &dims) {
    for (size_t d = 0; d < box.size() && d < static_cast<size_t>(image.dimensions()); ++d) {
        if (is_sum(dims[d])) continue;
        set_ends(image, static_cast<int>(d), box[d], SizesMentioned(box[d]), estimates, dims[d]);
    }
}

void find_ends_within_mentioned(const std::vector<HI::Interval> &box, const Estimates &estimates,
                                std::vector<RegionDimension> &dims) {
    for (size_t d = 0; d < box.size(); ++d) {
        if (is_sum(dims[d]) || dims[d].inputs_only) continue;
        const SizesMentioned sizes(box[d]);
        for (const auto &[size, param] : sizes.dims()) {
            set_ends({size.first, param, {}}, size.second, box[d], sizes, estimates, dims[d]);
        }
    }
}

}  // namespace autoschedule_gpu::reading
