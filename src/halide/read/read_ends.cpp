#include "halide/read/read_ends.h"

namespace autoschedule_gpu::reading {
namespace {

using Halide::Expr;

// Finds the parameter of that name which is a buffer, in expressions that ask for its sizes.
class BufferFinder : public HI::IRGraphVisitor {
public:
    explicit BufferFinder(const std::string &name) : name_(name) {}
    Halide::Parameter found;

private:
    using HI::IRGraphVisitor::visit;
    void visit(const HI::Variable *op) override {
        const bool is_size = op->param.defined() && op->param.is_buffer();
        if (is_size && op->param.name() == name_) found = op->param;
    }

    const std::string &name_;
};

// The first and the last coordinate of one dimension of a buffer, which has at least one.
class Ends {
public:
    Ends(const Halide::Parameter &buffer, size_t dim, const Estimates &estimates) {
        const auto size = [&](const char *property) {
            return HI::Variable::make(Halide::Int(32),
                                      buffer.name() + property + std::to_string(dim), buffer);
        };
        const Expr extent = size(".extent.");
        first_ = estimates.with_facts(size(".min."));
        last_ = HI::simplify(first_ + estimates.with_facts(extent) - 1);
        some_.push(extent.as<HI::Variable>()->name, HI::Interval(1, HI::Interval::pos_inf()));
    }

    bool is_behind_first(const Expr &end) const {
        return is_limited<HI::Max>(end, [&](const Expr &e) { return first_ <= e; });
    }
    bool is_before_last(const Expr &end) const {
        return is_limited<HI::Min>(end, [&](const Expr &e) { return e <= last_; });
    }

private:
    // Of one of the operands of `Limit` it is enough that it is limited, of those of the other
    // operations all must be.
    template <typename Limit, typename Condition>
    bool is_limited(const Expr &end, const Condition &condition) const {
        const auto is = [&](const Expr &e) { return is_limited<Limit>(e, condition); };
        if (const auto *op = end.as<HI::Select>()) {
            return is(op->true_value) && is(op->false_value);
        }
        if (HI::can_prove(condition(end), some_)) return true;
        if (const auto *op = end.as<HI::Min>()) return both_or_one<HI::Min, Limit>(*op, is);
        if (const auto *op = end.as<HI::Max>()) return both_or_one<HI::Max, Limit>(*op, is);
        return false;
    }

    template <typename Op, typename Limit, typename Is>
    static bool both_or_one(const Op &op, const Is &is) {
        if constexpr (std::is_same_v<Op, Limit>) return is(op.a) || is(op.b);
        return is(op.a) && is(op.b);
    }

    Expr first_, last_;
    HI::Scope<HI::Interval> some_;
};

}  // namespace

std::string buffer_of(const HI::Function &func) {
    const bool is_value = func.has_pure_definition() && !func.has_update_definition();
    if (!is_value || func.values().size() != 1) return {};
    const auto *read = func.values()[0].as<HI::Call>();
    if (read == nullptr || read->args.size() != func.args().size()) return {};
    for (size_t d = 0; d < read->args.size(); ++d) {
        const auto *coordinate = read->args[d].as<HI::Variable>();
        if (coordinate == nullptr || coordinate->name != func.args()[d]) return {};
    }
    if (read->call_type == HI::Call::Halide) return buffer_of(HI::Function(read->func));
    return read->param.defined() ? read->param.name() : std::string();
}

void find_ends_within(const std::string &buffer, const std::vector<HI::Interval> &box,
                      const Estimates &estimates, std::vector<RegionDimension> &dims) {
    for (size_t d = 0; d < box.size(); ++d) {
        if (dims[d].inputs_only || !box[d].is_bounded()) continue;
        BufferFinder sizes(buffer);
        box[d].min.accept(&sizes);
        box[d].max.accept(&sizes);
        if (!sizes.found.defined() || d >= static_cast<size_t>(sizes.found.dimensions())) continue;
        const Ends ends(sizes.found, d, estimates);
        dims[d].lo_within = ends.is_behind_first(HI::simplify(estimates.with_facts(box[d].min)));
        dims[d].hi_within = ends.is_before_last(HI::simplify(estimates.with_facts(box[d].max)));
    }
}

}  // namespace autoschedule_gpu::reading
