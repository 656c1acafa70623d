#include "halide/lower/apply_kernels.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/lowered/loop_names.h"

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;

// Evaluates integers through the lets around them, and, if there are estimates, through those of
// parameters. Lets are evaluated on demand: a large pipeline has thousands of them, and few are
// sizes of kernels.
class Lets {
public:
    explicit Lets(const EstimatedSizes *sizes = nullptr) : sizes_(sizes) {}

    // Where lowering has copied code, a later let replaces an earlier one of the same name.
    void add(const std::string &name, const Halide::Expr &expr) {
        lets_[name] = {expr, {}, false, {}};
    }

    std::optional<int64_t> value(const Halide::Expr &expr) {
        if (const auto direct = ir::as_const_int(expr)) return *direct;
        if (!expr.type().is_int_or_uint() || !expr.type().is_scalar()) return std::nullopt;
        std::map<std::string, Halide::Expr> known;
        for (const auto &[name, variable] : variables(expr)) {
            if (const auto constant = value_of(name, variable)) {
                known[name] = ir::make_const(variable.type(), *constant);
            }
        }
        const Halide::Expr simple = ir::simplify(ir::substitute(known, with_buffer_sizes(expr)));
        if (const auto found = ir::as_const_int(simple)) return *found;
        if (const auto found = ir::as_const_uint(simple)) return static_cast<int64_t>(*found);
        return std::nullopt;
    }

    // The most that an integer can be, whatever the values of parameters within their ranges.
    std::optional<int64_t> most(const Halide::Expr &expr) {
        const ir::Interval range = range_of(expr);
        if (!range.has_upper_bound()) return std::nullopt;
        return ir::as_const_int(ir::simplify(range.max));
    }

private:
    struct Let {
        Halide::Expr expr;
        std::optional<int64_t> value;
        bool evaluated = false;
        std::optional<ir::Interval> range;
    };

    // Its ends are constants, as far as there are any.
    ir::Interval range_of(const Halide::Expr &expr) {
        ir::Scope<ir::Interval> ranges;
        for (const auto &[name, variable] : variables(expr)) {
            ranges.push(name, range_of_variable(name, variable));
        }
        ir::Interval range = ir::bounds_of_expr_in_scope(expr, ranges);
        if (range.has_lower_bound()) range.min = ir::simplify(range.min);
        if (range.has_upper_bound()) range.max = ir::simplify(range.max);
        return range;
    }

    ir::Interval range_of_variable(const std::string &name, const Halide::Expr &variable) {
        const auto let = lets_.find(name);
        if (let == lets_.end()) {
            const Halide::Parameter &param = variable.as<ir::Variable>()->param;
            return reading::declared_range(param);
        }
        if (!let->second.range) {
            let->second.range = ir::Interval::everything();  // what a name hides can't be found
            let->second.range = range_of(let->second.expr);
        }
        return *let->second.range;
    }

    static std::map<std::string, Halide::Expr> variables(const Halide::Expr &expr) {
        struct Collect : ir::IRGraphVisitor {
            std::map<std::string, Halide::Expr> found;
            using IRGraphVisitor::visit;
            void visit(const ir::Variable *op) override { found.emplace(op->name, op); }
        } collect;
        expr.accept(&collect);
        return std::move(collect.found);
    }

    std::optional<int64_t> value_of(const std::string &name, const Halide::Expr &variable) {
        const auto it = lets_.find(name);
        if (it == lets_.end()) {
            reading::Gaps gaps;
            return sizes_ ? sizes_->estimates.integer(variable, gaps) : std::nullopt;
        }
        Let &let = it->second;
        if (!std::exchange(let.evaluated, true)) let.value = value(let.expr);
        return let.value;
    }

    Halide::Expr with_buffer_sizes(const Halide::Expr &expr) const {
        if (sizes_ == nullptr) return expr;
        struct Replace : ir::IRMutator {
            const EstimatedSizes &sizes;
            explicit Replace(const EstimatedSizes &s) : sizes(s) {}
            using IRMutator::visit;
            Halide::Expr visit(const ir::Call *op) override {
                if (const auto size = buffer_size(*op, sizes.buffers)) {
                    return ir::make_const(op->type, *size);
                }
                return IRMutator::visit(op);
            }
        } replace(*sizes_);
        return replace.mutate(expr);
    }

    const EstimatedSizes *sizes_;
    std::map<std::string, Let> lets_;
};

class KernelVisitor : public ir::IRVisitor {
public:
    KernelVisitor(const EstimatedSizes &sizes, int64_t shared_element_bytes)
        : shared_element_bytes_(shared_element_bytes), estimated_(&sizes) {}

    KernelReport report;

protected:
    using IRVisitor::visit;

    void visit(const ir::LetStmt *op) override {
        lets_.add(op->name, op->value);
        estimated_.add(op->name, op->value);
        op->body.accept(this);
    }

    void visit(const ir::IfThenElse *op) override {
        std::optional<int64_t> condition;
        if (!inside_) condition = estimated_.value(op->condition);
        visit_branch(op->then_case, condition.value_or(1) != 0);
        visit_branch(op->else_case, condition.value_or(0) == 0);
    }

    void visit(const ir::For *op) override {
        const bool opens = op->for_type == ir::ForType::GPUBlock && !inside_;
        if (opens) open_kernel(*op);
        if (inside_) note_loop(*op);
        op->body.accept(this);
        if (opens) inside_ = false;
    }

    void visit(const ir::Allocate *op) override {
        if (inside_) note_allocation(*op);
        op->body.accept(this);
    }

    void visit(const ir::Call *op) override {
        // Mathematical functions are PureExtern; calls with effects (print, an extern C function)
        // stay on the host, and so does the question where a buffer is (has_aligned_address).
        const bool is_host_function =
            op->call_type == ir::Call::Extern || op->name == ir::Call::buffer_get_device;
        if (inside_ && is_host_function) {
            report.refused.push_back("Kernel " + report.kernels.back().name +
                                     " calls the host function " + op->name + ".");
        }
        IRVisitor::visit(op);
    }

private:
    void visit_branch(const ir::Stmt &branch, bool taken) {
        if (!branch.defined()) return;
        const bool outer = at_estimates_;
        at_estimates_ = outer && taken;
        branch.accept(this);
        at_estimates_ = outer;
    }

    void open_kernel(const ir::For &loop);
    void note_loop(const ir::For &loop);
    void note_allocation(const ir::Allocate &allocation);

    const int64_t shared_element_bytes_;
    Lets lets_, estimated_;
    bool inside_ = false;
    bool at_estimates_ = true;
};

void KernelVisitor::open_kernel(const ir::For &loop) {
    inside_ = true;
    KernelLaunch &kernel = report.kernels.emplace_back();
    kernel.name = device_function_name(loop.name);
    kernel.stage = stage_of_loop(loop.name);
    report.func_names.push_back(func_of_loop(loop.name));
    kernel.at_estimates = at_estimates_;
}

void KernelVisitor::note_loop(const ir::For &loop) {
    KernelLaunch &kernel = report.kernels.back();
    const bool block = loop.for_type == ir::ForType::GPUBlock;
    const bool thread =
        loop.for_type == ir::ForType::GPUThread || loop.for_type == ir::ForType::GPULane;
    if (loop.for_type == ir::ForType::Parallel) {
        report.refused.push_back("Kernel " + kernel.name + " contains the parallel loop " +
                                 loop.name + ".");
    }
    const std::optional<int> axis = gpu_axis(loop.name);
    if (!(block || thread) || !axis) return;
    int64_t &extent = (block ? kernel.blocks : kernel.threads)[*axis];
    const std::optional<int64_t> found = lets_.value(loop.extent);
    extent = !found || extent < 0 ? -1 : std::max(extent, *found);
}

void KernelVisitor::note_allocation(const ir::Allocate &allocation) {
    KernelLaunch &kernel = report.kernels.back();
    if (allocation.new_expr.defined()) {
        report.refused.push_back("Kernel " + kernel.name + " contains the allocation " +
                                 allocation.name + ", which has an allocator of its own.");
    }
    const bool shared = allocation.memory_type == Halide::MemoryType::GPUShared;
    int64_t bytes = std::max<int64_t>(shared ? shared_element_bytes_ : 1, allocation.type.bytes());
    bool is_known = true, is_bounded = true;
    int64_t most_bytes = bytes;
    for (const Halide::Expr &extent : allocation.extents) {
        const std::optional<int64_t> found = lets_.value(extent);
        const std::optional<int64_t> most = found || !shared ? found : lets_.most(extent);
        is_known = is_known && found.has_value();
        is_bounded = is_bounded && most.has_value();
        bytes *= found.value_or(1);
        most_bytes *= most.value_or(1);
    }
    if (shared) {
        is_known = is_known && kernel.shared_bytes >= 0;
        kernel.shared_bytes = is_known ? kernel.shared_bytes + bytes : -1;
        is_bounded = is_bounded && kernel.most_shared_bytes >= 0;
        kernel.most_shared_bytes = is_bounded ? kernel.most_shared_bytes + most_bytes : -1;
    } else if (!is_known && allocation.memory_type != Halide::MemoryType::Heap) {
        report.refused.push_back("Allocation " + allocation.name + " in kernel " + kernel.name +
                                 " has a dynamic size. Only fixed-size allocations can be kept in "
                                 "registers or in a thread's local memory.");
    }
}

}  // namespace

std::optional<int> gpu_axis(std::string_view loop_name) {
    for (const std::string_view marker : {"thread_id_", "block_id_"}) {
        const size_t at = loop_name.rfind(marker);
        if (at == loop_name.npos || at + marker.size() == loop_name.size()) continue;
        const size_t axis = std::string_view("xyz").find(loop_name[at + marker.size()]);
        if (axis < 3) return static_cast<int>(axis);
    }
    return std::nullopt;
}

KernelReport read_kernels(const ir::Stmt &stmt, const EstimatedSizes &sizes,
                          int64_t shared_element_bytes) {
    KernelVisitor visitor(sizes, shared_element_bytes);
    stmt.accept(&visitor);
    return std::move(visitor.report);
}

}  // namespace autoschedule_gpu
