#include "core/lowered/live_values.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/lowered/code_facts.h"
#include "core/support/hash.h"

namespace autoschedule_gpu {

using lowered::BufferId;
using lowered::Code;
using lowered::Expr;
using lowered::ExprId;
using lowered::Op;
using lowered::StatementId;

namespace {

// A value is named by the hash of how it is computed.
using Value = uint64_t;

constexpr int64_t kAddressWords = 2;

int64_t words_of(const lowered::Type &type) {
    return std::max<int64_t>(1, int64_t{type.bits} * type.lanes / 32);
}

class ValueWalk {
public:
    explicit ValueWalk(const Code &code) : code_(code), versions_(code.buffers.size()) {}

    LiveValues values_of(StatementId kernel) {
        walk(kernel);
        std::vector<std::pair<int64_t, int64_t>> changes;  // time, and the change in words
        for (const auto &[value, span] : spans_) {
            changes.emplace_back(span.first, span.words);
            changes.emplace_back(span.last, -span.words);
        }
        std::ranges::sort(changes);
        int64_t live = 0, most = 0;
        for (const auto &[when, words] : changes) most = std::max(most, live += words);
        return {most, static_cast<int64_t>(spans_.size())};
    }

private:
    struct Span {
        int64_t first = 0, last = 0, words = 1;
        bool replaced = false;  // the array element got another value in this loop
    };
    using Element = std::pair<size_t, int64_t>;  // a buffer's index, and the element's

    void walk(StatementId id) {
        numbers_.clear();
        std::visit([&](const auto &statement) { walk(statement); }, code_.statement(id));
    }

    void walk(const lowered::Sequence &sequence) {
        for (StatementId id : sequence.statements) walk(id);
    }
    void walk(const lowered::Allocate &allocation) { walk(allocation.body); }
    void walk(const lowered::Evaluate &evaluate) { use(evaluate.value); }
    void walk(const lowered::Let &let) {
        bound_[let.variable.index()] = let.value;
        walk(let.body);
    }
    void walk(const lowered::If &branch) {
        use(branch.condition);
        walk(branch.then_case);
        if (branch.else_case) walk(*branch.else_case);
    }
    // After a barrier, loads may see what other threads have stored.
    void walk(const lowered::Barrier &) {
        for (size_t b = 0; b < versions_.size(); ++b) {
            if (code_.buffers[b].memory != MemoryKind::local) ++versions_[b];
        }
    }

    void walk(const lowered::For &loop) {
        if (loop.kind != lowered::LoopKind::serial) {
            walk(loop.body);
            return;
        }
        const int64_t begin = now_;
        walk(loop.body);
        ++now_;
        for (auto &[value, span] : spans_) {
            if (span.first <= begin && span.last > begin && !span.replaced) span.last = now_;
            span.replaced = false;
        }
    }

    void walk(const lowered::Store &store) {
        if (store.predicate) use(*store.predicate);
        use(store.value);
        const Value stored = number(store.value);
        if (const std::optional<Element> element = own_element(store.buffer, store.index)) {
            const auto before = elements_.find(*element);
            if (before != elements_.end()) {
                const auto span = spans_.find(before->second);
                if (span != spans_.end()) span->second.replaced = true;
            }
            elements_[*element] = stored;
        } else {
            use_address(store.index);
            ++versions_[store.buffer.index()];
        }
        numbers_.clear();
    }

    // Returns the element of an array of the thread's own if the index is a constant; else nullopt.
    std::optional<Element> own_element(BufferId buffer, ExprId index) const {
        const Expr &at = code_.expr(index);
        if (code_.buffer(buffer).memory != MemoryKind::local) return std::nullopt;
        if (at.op == Op::integer_constant) return Element{buffer.index(), at.integer};
        const Expr *base = at.op == Op::ramp ? &code_.expr(at.operands[0]) : nullptr;
        if (base == nullptr || base->op != Op::integer_constant) return std::nullopt;
        return Element{buffer.index(), base->integer};
    }

    // Returns one number for all expressions that compute the same value. Within one statement it
    // is remembered by expression.
    Value number(ExprId id) {
        const auto known = numbers_.find(id.index());
        if (known != numbers_.end()) return known->second;
        const Value value = number(code_.expr(id));
        numbers_[id.index()] = value;
        return value;
    }

    Value number(const Expr &expr) {
        if (expr.op == Op::variable) {
            const auto bound = bound_.find(expr.variable.index());
            if (bound != bound_.end()) return number(bound->second);
        }
        if (expr.op == Op::let) {
            bound_[expr.variable.index()] = expr.operands[0];
            return number(expr.operands[1]);
        }
        if (expr.op == Op::load) {
            if (const auto element = own_element(expr.buffer, expr.operands[0])) {
                const auto stored = elements_.find(*element);
                if (stored != elements_.end()) return stored->second;
            }
        }
        Hasher hasher = hash_of_node(expr);
        if (expr.op == Op::load)
            hasher.add(expr.buffer.index()).add(versions_[expr.buffer.index()]);
        for (ExprId operand : expr.operands) hasher.add(number(operand));
        return hasher.value();
    }

    // Constants, and what costs no instruction, occupy no register of their own.
    bool is_value(const Expr &expr) const {
        switch (expr.op) {
            case Op::integer_constant:
            case Op::real_constant:
            case Op::variable:
            case Op::let:
            case Op::broadcast:
            case Op::ramp:
                return false;
            case Op::add:
            case Op::subtract:
                return std::ranges::none_of(expr.operands, [&](ExprId operand) {
                    return code_.expr(operand).op == Op::integer_constant;
                });
            default:
                return true;
        }
    }

    void use(ExprId id) {
        const Expr &expr = code_.expr(id);
        if (expr.op == Op::variable) {
            const auto bound = bound_.find(expr.variable.index());
            if (bound != bound_.end()) use(bound->second);
            return;
        }
        const Value value = number(id);
        const auto known = spans_.find(value);
        if (known != spans_.end()) {
            known->second.last = ++now_;
            return;
        }
        if (expr.op == Op::let) {
            use(expr.operands[1]);
        } else if (expr.op == Op::load) {
            if (!own_element(expr.buffer, expr.operands[0])) use_address(expr.operands[0]);
        } else {
            for (ExprId operand : expr.operands) use(operand);
        }
        if (!is_value(expr)) return;
        ++now_;
        spans_[value] = {now_, now_, words_of(expr.type)};
    }

    // Uses an address without the constant that is added to it: the instruction adds that itself.
    void use_address(ExprId id) {
        const Expr *expr = &code_.expr(id);
        if (expr->op == Op::ramp) id = expr->operands[0], expr = &code_.expr(id);
        while (!is_value(*expr) && expr->op != Op::variable && !expr->operands.empty()) {
            id = expr->op == Op::let ? expr->operands[1] : expr->operands[0];
            expr = &code_.expr(id);
        }
        use(id);
        const auto span = spans_.find(number(id));
        if (span != spans_.end()) span->second.words = kAddressWords;
    }

    const Code &code_;
    std::vector<uint64_t> versions_;             // by buffer: how many stores there have been
    std::unordered_map<size_t, ExprId> bound_;   // values of let variables
    std::map<Element, Value> elements_;          // what the thread's own arrays hold
    std::unordered_map<size_t, Value> numbers_;  // by expression, for the current statement
    std::unordered_map<Value, Span> spans_;
    int64_t now_ = 0;  // time: the number of values computed or used so far
};

}  // namespace

LiveValues live_values(const Code &code, StatementId kernel) {
    return ValueWalk(code).values_of(kernel);
}

}  // namespace autoschedule_gpu
