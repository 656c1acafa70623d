#include "core/lowered/lowered.h"

#include <utility>

namespace autoschedule_gpu::lowered {
namespace {

struct OperandCount {
    size_t least = 0;
    size_t most = 0;
};

OperandCount operand_count(Op op) {
    switch (op) {
        case Op::integer_constant:
        case Op::real_constant:
        case Op::variable:
            return {0, 0};
        case Op::logical_not:
        case Op::cast:
        case Op::broadcast:
        case Op::absolute:
        case Op::floor:
        case Op::ceiling:
        case Op::round:
        case Op::truncate:
        case Op::square_root:
        case Op::exponential:
        case Op::logarithm:
        case Op::sine:
        case Op::cosine:
        case Op::bitwise_not:
            return {1, 1};
        case Op::select:
        case Op::choose:
            return {3, 3};
        case Op::load:
            return {1, 2};
        case Op::concatenate:
        case Op::take_lanes:
            return {1, SIZE_MAX};
        case Op::unknown:
            return {0, SIZE_MAX};
        default:
            return {2, 2};
    }
}

// Returns true if result and operands have the same number of lanes; a constant operand stands for
// any number of lanes.
bool is_lane_by_lane(Op op) {
    switch (op) {
        case Op::ramp:
        case Op::broadcast:
        case Op::concatenate:
        case Op::take_lanes:
        case Op::let:
        case Op::unknown:
            return false;
        default:
            return true;
    }
}

class Checker {
public:
    explicit Checker(const Code &code) : code_(code) {}

    std::string complaint() {
        for (size_t e = 0; e < code_.exprs.size(); e++) check_expr(e);
        for (size_t b = 0; b < code_.buffers.size(); b++) {
            for (ExprId extent : code_.buffers[b].extents) {
                require(knows(extent),
                        "buffer " + code_.buffers[b].name + " has an unknown extent");
            }
        }
        for (size_t s = 0; s < code_.statements.size(); s++) {
            std::visit([&](const auto &statement) { check_statement(statement, s); },
                       code_.statements[s]);
        }
        require(code_.root.valid() && code_.root.index() < code_.statements.size(),
                "the root is no statement");
        if (complaint_.empty()) check_nesting(code_.root, false);
        return complaint_;
    }

private:
    void require(bool condition, const std::string &complaint) {
        if (!condition && complaint_.empty()) complaint_ = complaint;
    }

    bool knows(ExprId id) const { return id.valid() && id.index() < code_.exprs.size(); }
    bool knows(VariableId id) const { return id.valid() && id.index() < code_.variables.size(); }
    bool knows(BufferId id) const { return id.valid() && id.index() < code_.buffers.size(); }

    void check_expr(size_t e) {
        const Expr &expr = code_.exprs[e];
        const std::string name = "expression " + std::to_string(e);
        const OperandCount count = operand_count(expr.op);
        require(expr.operands.size() >= count.least && expr.operands.size() <= count.most,
                name + " has " + std::to_string(expr.operands.size()) + " operands");
        for (ExprId operand : expr.operands) {
            const bool before = operand.valid() && operand.index() < e;
            require(before, name + " has an operand that comes after it");
            if (!before || !is_lane_by_lane(expr.op)) continue;
            require(code_.expr(operand).type.lanes == expr.type.lanes,
                    name + " has another number of lanes than its operand");
        }
        const bool binds = expr.op == Op::variable || expr.op == Op::let;
        require(!binds || knows(expr.variable), name + " names an unknown variable");
        require(expr.op != Op::load || knows(expr.buffer), name + " names an unknown buffer");
        require(expr.type.lanes > 0 && expr.elements_per_instruction > 0, name + " has no lanes");
    }

    void check_child(StatementId id, size_t parent) {
        require(id.valid() && id.index() < parent,
                "statement " + std::to_string(parent) + " holds one that comes after it");
    }

    void check_statement(const For &loop, size_t self) {
        require(knows(loop.variable) && knows(loop.min) && knows(loop.extent) && loop.axis >= 0 &&
                    loop.axis < 3,
                "loop " + loop.name + " is not complete");
        check_child(loop.body, self);
    }
    void check_statement(const Let &let, size_t self) {
        require(knows(let.variable) && knows(let.value),
                "let " + std::to_string(self) + " is not complete");
        check_child(let.body, self);
    }
    void check_statement(const If &branch, size_t self) {
        require(knows(branch.condition), "if " + std::to_string(self) + " has no condition");
        check_child(branch.then_case, self);
        if (branch.else_case) check_child(*branch.else_case, self);
    }
    void check_statement(const Store &store, size_t self) {
        const bool complete = knows(store.buffer) && knows(store.index) && knows(store.value);
        require(complete, "store " + std::to_string(self) + " is not complete");
        if (!complete) return;
        require(code_.expr(store.index).type.lanes == code_.expr(store.value).type.lanes &&
                    store.elements_per_instruction > 0,
                "store " + std::to_string(self) + " has another number of lanes than its index");
        require(!store.predicate || knows(*store.predicate),
                "store " + std::to_string(self) + " has an unknown predicate");
    }
    void check_statement(const Allocate &allocation, size_t self) {
        require(knows(allocation.buffer), "allocation of an unknown buffer");
        check_child(allocation.body, self);
    }
    void check_statement(const Evaluate &evaluate, size_t) {
        require(knows(evaluate.value), "evaluation of an unknown expression");
    }
    void check_statement(const Barrier &, size_t) {}
    void check_statement(const Sequence &sequence, size_t self) {
        for (StatementId id : sequence.statements) check_child(id, self);
    }

    void check_nesting(StatementId id, bool in_threads) {
        const auto visit = [&](const auto &statement) { check_below(statement, in_threads); };
        std::visit(visit, code_.statement(id));
    }
    void check_below(const For &loop, bool in_threads) {
        require(loop.kind != LoopKind::block || !in_threads,
                "block loop " + loop.name + " is inside a thread loop");
        check_nesting(loop.body, in_threads || loop.kind == LoopKind::thread);
    }
    void check_below(const Let &let, bool in_threads) { check_nesting(let.body, in_threads); }
    void check_below(const If &branch, bool in_threads) {
        check_nesting(branch.then_case, in_threads);
        if (branch.else_case) check_nesting(*branch.else_case, in_threads);
    }
    void check_below(const Allocate &allocation, bool in_threads) {
        check_nesting(allocation.body, in_threads);
    }
    void check_below(const Sequence &sequence, bool in_threads) {
        for (StatementId child : sequence.statements) check_nesting(child, in_threads);
    }
    template <typename Leaf>
    void check_below(const Leaf &, bool) {}

    const Code &code_;
    std::string complaint_;
};

}  // namespace

ExprId Code::add(Expr expr) {
    exprs.push_back(std::move(expr));
    return ExprId(exprs.size() - 1);
}

StatementId Code::add(Statement statement) {
    statements.push_back(std::move(statement));
    return StatementId(statements.size() - 1);
}

BufferId Code::add(Buffer buffer) {
    buffers.push_back(std::move(buffer));
    return BufferId(buffers.size() - 1);
}

VariableId Code::add_variable(std::string name) {
    variables.push_back(std::move(name));
    return VariableId(variables.size() - 1);
}

Status check(const Code &code) {
    const std::string complaint = Checker(code).complaint();
    if (!complaint.empty()) return Error{"the lowered code is not well-formed: " + complaint};
    return Ok{};
}

}  // namespace autoschedule_gpu::lowered
