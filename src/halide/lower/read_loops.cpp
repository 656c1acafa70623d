#include "halide/lower/read_loops.h"

#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "halide/lower/apply_kernels.h"
#include "halide/lower/external_buffers.h"
#include "halide/lower/read_loop_exprs.h"
#include "halide/read/read_estimates.h"

namespace autoschedule_gpu {
namespace {

namespace HI = Halide::Internal;
using lowered::BufferId;
using lowered::ExprId;
using lowered::LoopKind;
using lowered::StatementId;
using lowered::VariableId;
using reading::LoopExprReader;

LoopKind loop_kind(HI::ForType type) {
    switch (type) {
        case HI::ForType::GPUBlock:
            return LoopKind::block;
        case HI::ForType::GPUThread:
        case HI::ForType::GPULane:
            return LoopKind::thread;
        default:
            return LoopKind::serial;
    }
}

// Outside kernels everything counts as global: what a kernel can reach is in global memory by the
// time it runs.
MemoryKind memory_of(Halide::MemoryType type, bool in_kernel) {
    if (!in_kernel) return MemoryKind::global;
    switch (type) {
        case Halide::MemoryType::GPUShared:
            return MemoryKind::shared;
        case Halide::MemoryType::Heap:
        case Halide::MemoryType::GPUTexture:
            return MemoryKind::global;
        default:
            return MemoryKind::local;
    }
}

class LoopReader : public HI::IRVisitor {
public:
    LoopReader(lowered::Code &code, LoopExprReader &exprs) : code_(code), exprs_(exprs) {}

    StatementId read(const HI::Stmt &stmt) {
        result_ = StatementId();
        if (stmt.defined()) stmt.accept(this);
        return result_.valid() ? result_ : code_.add(lowered::Sequence{});
    }

    const std::string &error() const { return error_; }

protected:
    using IRVisitor::visit;

    void visit(const HI::LetStmt *op) override {
        const ExprId value = exprs_.read(op->value);
        const VariableId variable = exprs_.enter(op->name);
        const StatementId body = read(op->body);
        exprs_.leave(op->name);
        result_ = code_.add(lowered::Let{variable, value, body});
    }

    void visit(const HI::For *op) override {
        lowered::For loop;
        loop.kind = loop_kind(op->for_type);
        loop.name = op->name;
        const std::optional<int> axis = gpu_axis(op->name);
        if (loop.kind != LoopKind::serial && !axis) {
            fail("GPU loop " + op->name + " is of no dimension x, y or z");
        }
        loop.axis = axis.value_or(0);
        loop.min = exprs_.read(op->min);
        loop.extent = exprs_.read(op->extent);
        loop.variable = exprs_.enter(op->name);
        const bool outer = in_kernel_;
        in_kernel_ = in_kernel_ || loop.kind == LoopKind::block;
        loop.body = read(op->body);
        in_kernel_ = outer;
        exprs_.leave(op->name);
        result_ = code_.add(std::move(loop));
    }

    void visit(const HI::Allocate *op) override {
        lowered::Buffer buffer;
        buffer.name = op->name;
        buffer.memory = memory_of(op->memory_type, in_kernel_);
        buffer.element_bytes = op->type.bytes();
        for (const Halide::Expr &extent : op->extents)
            buffer.extents.push_back(exprs_.read(extent));
        const BufferId id = exprs_.enter_buffer(std::move(buffer));
        const StatementId body = read(op->body);
        exprs_.leave_buffer(op->name);
        result_ = code_.add(lowered::Allocate{id, body});
    }

    void visit(const HI::Store *op) override {
        lowered::Store store;
        store.buffer = exprs_.buffer(op->name, op->value.type());
        store.index = exprs_.read(op->index);
        exprs_.set_atomic_buffer(in_atomic_ ? op->name : "");
        store.value = exprs_.read(op->value);
        exprs_.set_atomic_buffer("");
        store.atomic = in_atomic_;
        const bool whole = HI::is_const_one(op->predicate);
        if (!whole) store.predicate = exprs_.read(op->predicate);
        store.elements_per_instruction =
            whole ? exprs_.elements_per_instruction(op->name, op->value.type(), op->index,
                                                    op->alignment)
                  : 1;
        result_ = code_.add(std::move(store));
    }

    void visit(const HI::IfThenElse *op) override {
        lowered::If branch;
        branch.condition = exprs_.read(op->condition);
        branch.then_case = read(op->then_case);
        if (op->else_case.defined()) branch.else_case = read(op->else_case);
        result_ = code_.add(std::move(branch));
    }

    void visit(const HI::Evaluate *op) override {
        const auto *call = op->value.as<HI::Call>();
        if (call != nullptr && call->is_intrinsic(HI::Call::gpu_thread_barrier)) {
            result_ = code_.add(lowered::Barrier{});
        } else if (in_kernel_) {
            result_ = code_.add(lowered::Evaluate{exprs_.read(op->value)});
        }
    }

    void visit(const HI::Block *op) override { sequence(op->first, op->rest); }
    void visit(const HI::Fork *op) override { sequence(op->first, op->rest); }

    void visit(const HI::Atomic *op) override {
        const bool outer = std::exchange(in_atomic_, true);
        result_ = read(op->body);
        in_atomic_ = outer;
    }

    void visit(const HI::ProducerConsumer *op) override { result_ = read(op->body); }
    void visit(const HI::Acquire *op) override { result_ = read(op->body); }
    void visit(const HI::HoistedStorage *op) override { result_ = read(op->body); }
    void visit(const HI::AssertStmt *) override {}
    void visit(const HI::Free *) override {}
    void visit(const HI::Prefetch *op) override { result_ = read(op->body); }
    void visit(const HI::Provide *op) override { fail("storage of " + op->name + " is not flat"); }
    void visit(const HI::Realize *op) override { fail("storage of " + op->name + " is not flat"); }

private:
    void sequence(const HI::Stmt &first, const HI::Stmt &rest) {
        lowered::Sequence sequence;
        sequence.statements = {read(first)};
        sequence.statements.push_back(read(rest));
        result_ = code_.add(std::move(sequence));
    }

    void fail(const std::string &error) {
        if (error_.empty()) error_ = error;
    }

    lowered::Code &code_;
    LoopExprReader &exprs_;
    StatementId result_;
    bool in_kernel_ = false;
    bool in_atomic_ = false;
    std::string error_;
};

std::string joined(const std::set<std::string> &sentences) {
    std::string text;
    for (const std::string &sentence : sentences) text += (text.empty() ? "" : "; ") + sentence;
    return text;
}

}  // namespace

Result<lowered::Code> read_loops(const HI::Stmt &stmt, const Halide::Pipeline &pipeline,
                                 const Halide::Target &target, const GivenSizes &sizes) {
    if (!target.has_gpu_feature()) {
        return Error{"target " + target.to_string() + " has no GPU, so there are no kernels"};
    }
    if (!stmt.defined()) return Error{"there is no lowered code"};
    std::vector<HI::Function> outputs;
    for (const Halide::Func &output : pipeline.outputs()) outputs.push_back(output.function());
    const reading::Estimates estimates(outputs, sizes);
    reading::Gaps gaps;
    lowered::Code code;
    LoopExprReader exprs(code, external_buffers(outputs, estimates, gaps), estimates, gaps);
    LoopReader reader(code, exprs);
    code.root = reader.read(stmt);
    if (!gaps.missing.empty()) return Error{joined(gaps.missing)};
    if (!reader.error().empty()) return Error{reader.error()};
    return code;
}

}  // namespace autoschedule_gpu
