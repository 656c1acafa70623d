#include "core/lowered/code_facts.h"

#include <bit>

namespace autoschedule_gpu {

using lowered::Code;
using lowered::Expr;
using lowered::ExprId;
using lowered::Op;
using lowered::Statement;
using lowered::StatementId;

namespace {

void find_kernels(const Code &code, StatementId id, std::vector<StatementId> &kernels) {
    const Statement &statement = code.statement(id);
    const auto *loop = std::get_if<lowered::For>(&statement);
    if (loop != nullptr && loop->kind == lowered::LoopKind::block) {
        kernels.push_back(id);
        return;
    }
    for (StatementId child : children(statement)) find_kernels(code, child, kernels);
}

}  // namespace

CodeFacts::CodeFacts(const Code &code) {
    for (const Expr &expr : code.exprs) {
        bool any = expr.op == Op::load;
        for (ExprId operand : expr.operands) any = any || loads[operand.index()];
        loads.push_back(any);
    }
    find_kernels(code, code.root, kernels);
    for (const Statement &statement : code.statements) {
        const auto *loop = std::get_if<lowered::For>(&statement);
        bool any = loop != nullptr && loop->kind == lowered::LoopKind::serial;
        for (StatementId child : children(statement)) any = any || has_serial_loop[child.index()];
        has_serial_loop.push_back(any);
    }
}

std::vector<bool> contains(const Code &code, StatementId inner) {
    std::vector<bool> result(code.statements.size());
    result[inner.index()] = true;
    // One pass is enough because children are stored before their parents.
    for (size_t s = 0; s < code.statements.size(); s++) {
        for (StatementId child : children(code.statements[s])) {
            if (result[child.index()]) result[s] = true;
        }
    }
    return result;
}

std::vector<StatementId> children(const Statement &statement) {
    if (const auto *loop = std::get_if<lowered::For>(&statement)) return {loop->body};
    if (const auto *let = std::get_if<lowered::Let>(&statement)) return {let->body};
    if (const auto *allocation = std::get_if<lowered::Allocate>(&statement)) {
        return {allocation->body};
    }
    if (const auto *sequence = std::get_if<lowered::Sequence>(&statement)) {
        return sequence->statements;
    }
    if (const auto *branch = std::get_if<lowered::If>(&statement)) {
        if (branch->else_case) return {branch->then_case, *branch->else_case};
        return {branch->then_case};
    }
    return {};
}

Hasher hash_of_node(const Expr &expr) {
    Hasher hasher;
    hasher.add(static_cast<uint64_t>(expr.op)).add(static_cast<uint64_t>(expr.type.kind));
    hasher.add(expr.type.bits).add(expr.type.lanes);
    hasher.add(static_cast<uint64_t>(expr.integer)).add(std::bit_cast<uint64_t>(expr.real));
    if (expr.variable.valid()) hasher.add(expr.variable.index());
    return hasher;
}

}  // namespace autoschedule_gpu
