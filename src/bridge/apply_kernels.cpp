#include "bridge/apply_kernels.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;

// The values of all lets around the visited node that are compile-time constants.
class ConstantLets {
public:
    std::optional<int64_t> value(const Halide::Expr &expr) const {
        if (const auto direct = ir::as_const_int(expr)) return *direct;
        if (!expr.type().is_int_or_uint() || !expr.type().is_scalar()) return std::nullopt;
        const Halide::Expr simple = ir::simplify(ir::substitute(values_, expr));
        if (const auto found = ir::as_const_int(simple)) return *found;
        if (const auto found = ir::as_const_uint(simple)) return static_cast<int64_t>(*found);
        return std::nullopt;
    }

    // Lowered names are unique: nothing has to be forgotten when a let ends.
    void add(const std::string &name, const Halide::Expr &expr) {
        if (const auto found = value(expr)) {
            values_[name] = ir::make_const(expr.type(), *found);
        }
    }

private:
    std::map<std::string, Halide::Expr> values_;
};

class KernelVisitor : public ir::IRVisitor {
public:
    KernelReport report;

protected:
    using IRVisitor::visit;

    void visit(const ir::LetStmt *op) override {
        lets_.add(op->name, op->value);
        op->body.accept(this);
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
        // Math is PureExtern; what has effects (print, an extern C function) lives on the host.
        if (inside_ && op->call_type == ir::Call::Extern) {
            report.refused.push_back("Kernel " + report.kernels.back().name +
                                     " calls the host function " + op->name + ".");
        }
        IRVisitor::visit(op);
    }

private:
    void open_kernel(const ir::For &loop);
    void note_loop(const ir::For &loop);
    void note_allocation(const ir::Allocate &allocation);

    ConstantLets lets_;
    bool inside_ = false;
};

void KernelVisitor::open_kernel(const ir::For &loop) {
    inside_ = true;
    KernelLaunch &kernel = report.kernels.emplace_back();
    kernel.name = "_kernel_";
    for (char c : loop.name) {
        if (c == '$') {
            kernel.name += "__";
        } else {
            kernel.name += c == '.' ? '_' : c;
        }
    }
}

void KernelVisitor::note_loop(const ir::For &loop) {
    KernelLaunch &kernel = report.kernels.back();
    const bool block = loop.for_type == ir::ForType::GPUBlock;
    const bool thread =
        loop.for_type == ir::ForType::GPUThread || loop.for_type == ir::ForType::GPULane;
    if (loop.for_type == ir::ForType::Parallel) {
        report.refused.push_back("Kernel " + kernel.name + " contains the parallel loop " + loop.name +
                          ".");
    }
    // Halide has renamed the loops by now: "f.s0.y.yo.block_id_y", ".thread_id_x".
    const std::string_view axes = "xyz";
    const size_t axis = loop.name.empty() ? axes.npos : axes.find(loop.name.back());
    if (!(block || thread) || axis == axes.npos) return;
    int64_t &extent = (block ? kernel.blocks : kernel.threads)[axis];
    const std::optional<int64_t> found = lets_.value(loop.extent);
    extent = !found || extent < 0 ? -1 : std::max(extent, *found);
}

void KernelVisitor::note_allocation(const ir::Allocate &allocation) {
    KernelLaunch &kernel = report.kernels.back();
    if (allocation.new_expr.defined()) {
        report.refused.push_back("Kernel " + kernel.name + " contains the allocation " +
                          allocation.name + ", which has an allocator of its own.");
    }
    std::optional<int64_t> bytes = allocation.type.bytes();
    for (const Halide::Expr &extent : allocation.extents) {
        const std::optional<int64_t> found = lets_.value(extent);
        bytes = bytes && found ? std::optional(*bytes * *found) : std::nullopt;
    }
    if (allocation.memory_type == Halide::MemoryType::GPUShared) {
        kernel.shared_bytes = !bytes || kernel.shared_bytes < 0 ? -1 : kernel.shared_bytes + *bytes;
    } else if (!bytes && allocation.memory_type != Halide::MemoryType::Heap) {
        report.refused.push_back("Allocation " + allocation.name + " in kernel " + kernel.name +
                          " has a dynamic size. Only fixed-size allocations can be kept in "
                          "registers or in a thread's local memory.");
    }
}

}  // namespace

KernelReport read_kernels(const ir::Stmt &stmt) {
    KernelVisitor visitor;
    stmt.accept(&visitor);
    return std::move(visitor.report);
}

}  // namespace autoschedule_gpu
