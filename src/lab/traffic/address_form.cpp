#include "lab/traffic/address_form.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>
#include <variant>

#include "core/support/hash.h"

namespace autoschedule_gpu {

namespace {

using lowered::Code;
using lowered::Expr;
using lowered::ExprId;
using lowered::Op;
using lowered::StatementId;

// Coefficients of terms, and a constant.
struct Sum {
    std::map<uint64_t, int64_t> terms;
    int64_t constant = 0;

    void add(const Sum &other, int64_t times) {
        constant += times * other.constant;
        for (const auto &[term, coefficient] : other.terms) {
            if ((terms[term] += times * coefficient) == 0) terms.erase(term);
        }
    }
    uint64_t form() const {
        Hasher hasher(terms.size());
        for (const auto &[term, coefficient] : terms) {
            hasher.add(term).add(static_cast<uint64_t>(coefficient));
        }
        return hasher.value();
    }
    // Of the value, the constant included.
    uint64_t hash() const { return Hasher(form()).add(static_cast<uint64_t>(constant)).value(); }
};

class FormWalk {
public:
    explicit FormWalk(const Code &code) : code_(code) {}

    // Those of one kernel, walked twice: which buffers it stores to is known in the end.
    AddressForms of(StatementId kernel) {
        walk(kernel);
        multiplies_out_ = true;
        values_.clear();
        walk(kernel);
        return std::move(forms_);
    }

private:
    void walk(StatementId id) {
        const lowered::Statement &statement = code_.statement(id);
        sums_.clear();
        std::visit([&](const auto &s) { enter(s, id); }, statement);
    }

    void enter(const lowered::Sequence &sequence, StatementId) {
        for (const StatementId id : sequence.statements) walk(id);
    }
    void enter(const lowered::Allocate &allocation, StatementId) { walk(allocation.body); }
    void enter(const lowered::Evaluate &evaluate, StatementId) { visit(evaluate.value); }
    void enter(const lowered::Barrier &, StatementId) {}
    void enter(const lowered::Let &let, StatementId) {
        visit(let.value);
        values_[let.variable.index()] = sum_of(let.value);
        walk(let.body);
    }
    void enter(const lowered::If &branch, StatementId) {
        visit(branch.condition);
        walk(branch.then_case);
        if (branch.else_case) walk(*branch.else_case);
    }
    void enter(const lowered::For &loop, StatementId) {
        visit(loop.min);
        visit(loop.extent);
        walk(loop.body);
    }
    void enter(const lowered::Store &store, StatementId id) {
        visit(store.index);
        if (store.predicate) visit(*store.predicate);
        visit(store.value);
        forms_.stores[id.index()] = sum_of(store.index).form();
        stored_.insert(store.buffer.index());
    }

    // Finds the loads of an expression.
    void visit(ExprId id) {
        const Expr &expr = code_.expr(id);
        if (expr.op == Op::let) {
            visit(expr.operands[0]);
            values_[expr.variable.index()] = sum_of(expr.operands[0]);
            return visit(expr.operands[1]);
        }
        for (const ExprId operand : expr.operands) visit(operand);
        if (expr.op != Op::load) return;
        if (multiplies_out_ && !stored_.contains(expr.buffer.index())) return;
        forms_.loads[id.index()] = sum_of(expr.operands[0]).form();
    }

    const Sum &sum_of(ExprId id) {
        const auto known = sums_.find(id.index());
        if (known != sums_.end()) return known->second;
        Sum sum = sum_of(code_.expr(id));
        return sums_[id.index()] = std::move(sum);
    }

    Sum sum_of(const Expr &expr) {
        if (expr.op == Op::integer_constant) return {{}, expr.integer};
        if (expr.op == Op::variable) {
            const auto value = values_.find(expr.variable.index());
            if (value != values_.end()) return value->second;
        }
        if (expr.op == Op::let) {
            values_[expr.variable.index()] = sum_of(expr.operands[0]);
            return sum_of(expr.operands[1]);
        }
        if (expr.op == Op::broadcast) return sum_of(expr.operands[0]);
        if (expr.op == Op::add || expr.op == Op::subtract) {
            Sum sum = sum_of(expr.operands[0]);
            sum.add(sum_of(expr.operands[1]), expr.op == Op::add ? 1 : -1);
            return sum;
        }
        if (expr.op == Op::ramp) {
            // What is added from lane to lane is a term of its own.
            Sum sum = sum_of(expr.operands[0]);
            const uint64_t stride = sum_of(expr.operands[1]).hash();
            sum.add({{{Hasher(stride).add(expr.type.lanes).value(), 1}}, 0}, 1);
            return sum;
        }
        if (const std::optional<Sum> multiple = multiple_of(expr)) return *multiple;
        if (expr.op == Op::multiply) return product_of(expr);
        return {{{term(expr), 1}}, 0};
    }

    // Of a product with a constant.
    std::optional<Sum> multiple_of(const Expr &expr) {
        if (expr.op != Op::multiply) return std::nullopt;
        for (const size_t i : {size_t{0}, size_t{1}}) {
            const Sum factor = sum_of(expr.operands[i]);
            if (!factor.terms.empty()) continue;
            Sum sum;
            sum.add(sum_of(expr.operands[1 - i]), factor.constant);
            return sum;
        }
        return std::nullopt;
    }

    // Of sums that are no constants, term by term. Where products are not multiplied out, the
    // 1 * stride in (y + 1) * stride is another term than a stride that is added.
    Sum product_of(const Expr &expr) {
        const Sum a = sum_of(expr.operands[0]), b = sum_of(expr.operands[1]);
        Sum product;
        product.constant = a.constant * b.constant;
        for (const auto &[term, coefficient] : a.terms) {
            for (const auto &[other, times] : b.terms) {
                const auto [first, second] = std::minmax(term, other);
                product.add({{{Hasher(first).add(second).value(), 1}}, 0}, coefficient * times);
            }
        }
        for (const auto &[sum, times] : {std::pair(&a, b.constant), std::pair(&b, a.constant)}) {
            if (times == 0) continue;
            for (const auto &[term, coefficient] : sum->terms) {
                const uint64_t added = multiplies_out_ ? term : Hasher(term).value();
                product.add({{{added, 1}}, 0}, coefficient * times);
            }
        }
        return product;
    }

    uint64_t term(const Expr &expr) {
        Hasher hasher(static_cast<uint64_t>(expr.op));
        hasher.add(static_cast<uint64_t>(expr.type.lanes))
            .add(std::bit_cast<uint64_t>(expr.real))
            .add(expr.op == Op::variable ? expr.variable.index() : 0)
            .add(expr.op == Op::load ? expr.buffer.index() : 0);
        for (const ExprId operand : expr.operands) hasher.add(sum_of(operand).hash());
        return hasher.value();
    }

    const Code &code_;
    AddressForms forms_;
    std::unordered_set<size_t> stored_;       // by buffer
    bool multiplies_out_ = false;             // for what the kernel stores to
    std::unordered_map<size_t, Sum> values_;  // of let variables
    std::unordered_map<size_t, Sum> sums_;    // by expression, for the current statement
};

}  // namespace

AddressForms address_forms(const Code &code, const std::vector<StatementId> &kernels) {
    AddressForms all;
    for (const StatementId kernel : kernels) {
        AddressForms forms = FormWalk(code).of(kernel);
        all.loads.merge(forms.loads);
        all.stores.merge(forms.stores);
    }
    return all;
}

}  // namespace autoschedule_gpu
