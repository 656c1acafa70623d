#include "lab/traffic/operations.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/lowered/code_facts.h"
#include "core/support/hash.h"
#include "lab/traffic/inner_instructions.h"

namespace autoschedule_gpu {

using lowered::BufferId;
using lowered::Code;
using lowered::Expr;
using lowered::ExprId;
using lowered::Op;
using lowered::Statement;
using lowered::StatementId;

namespace {

// A value is named by the hash of how it is computed.
using ValueHash = uint64_t;

constexpr size_t kUnbound = SIZE_MAX;

bool is_real(const Expr &expr) {
    return expr.type.kind == lowered::Type::Kind::real;
}

double lanes_of(const Expr &expr) {
    return static_cast<double>(expr.type.lanes);
}

bool is_constant(const Expr &expr) {
    return expr.op == Op::integer_constant || expr.op == Op::real_constant;
}

// Returns true for what yields a new number.
bool is_operation(const Expr &expr) {
    switch (expr.op) {
        case Op::add:
        case Op::subtract:
        case Op::multiply:
        case Op::divide:
        case Op::remainder:
        case Op::divide_to_zero:
        case Op::remainder_to_zero:
        case Op::minimum:
        case Op::maximum:
        case Op::absolute:
        case Op::floor:
        case Op::ceiling:
        case Op::round:
        case Op::truncate:
        case Op::square_root:
        case Op::exponential:
        case Op::logarithm:
        case Op::power:
        case Op::sine:
        case Op::cosine:
        case Op::bitwise_and:
        case Op::bitwise_or:
        case Op::bitwise_xor:
        case Op::bitwise_not:
        case Op::shift_left:
        case Op::shift_right:
            return expr.type.bits > 1;
        default:
            return false;
    }
}

// Returns, by variable, the number of the expression that it stands for.
std::vector<size_t> bindings(const Code &code) {
    std::vector<size_t> bound(code.variables.size(), kUnbound);
    for (const Expr &expr : code.exprs) {
        if (expr.op == Op::let) bound[expr.variable.index()] = expr.operands[0].index();
    }
    for (const Statement &statement : code.statements) {
        const auto *let = std::get_if<lowered::Let>(&statement);
        if (let != nullptr) bound[let->variable.index()] = let->value.index();
    }
    return bound;
}

class OperationWalk {
public:
    explicit OperationWalk(const Code &code)
        : code_(code), bound_(bindings(code)), of_statement_(code.statements.size()) {
        // One pass is enough: operands come before their users, and values before their variables.
        for (size_t e = 0; e < code.exprs.size(); ++e) {
            const Expr &expr = code.exprs[e];
            bool loads = expr.op == Op::load;
            for (ExprId operand : expr.operands) loads = loads || depends_on_data_[operand.index()];
            const size_t value =
                expr.op == Op::variable ? bound_[expr.variable.index()] : size_t{kUnbound};
            if (value < e) loads = loads || depends_on_data_[value];
            depends_on_data_.push_back(loads);
        }
    }

    void walk(StatementId id) {
        numbers_.clear();
        now_ = id.index();
        std::visit([&](const auto &statement) { walk(statement); }, code_.statement(id));
    }

    // Forgets all values: nothing is known when a kernel begins.
    void forget() { known_.clear(), order_.clear(), products_.clear(); }

    std::vector<Operations> result() && { return std::move(of_statement_); }

private:
    void walk(const lowered::Sequence &sequence) {
        for (StatementId id : sequence.statements) walk(id);
    }
    void walk(const lowered::Allocate &allocation) { walk(allocation.body); }
    void walk(const lowered::Evaluate &evaluate) { need(evaluate.value); }
    void walk(const lowered::Let &let) {
        compute(let.value);
        values_[let.variable.index()] = number(let.value);
        walk(let.body);
    }
    void walk(const lowered::If &branch) {
        need(branch.condition);
        in_scope([&] { walk(branch.then_case); });
        if (branch.else_case) in_scope([&] { walk(*branch.else_case); });
    }
    void walk(const lowered::For &loop) {
        need(loop.min);
        need(loop.extent);
        // An iteration may load what an earlier one stored.
        if (loop.kind == lowered::LoopKind::serial) store_all_of(loop.body);
        in_scope([&] { walk(loop.body); });
    }
    // After a barrier, loads may see what other threads have stored.
    void walk(const lowered::Barrier &) {
        for (size_t b = 0; b < code_.buffers.size(); ++b) {
            if (code_.buffers[b].memory != MemoryKind::local) store_anywhere_in(BufferId(b));
        }
    }
    void walk(const lowered::Store &store) {
        compute_address(store.index);
        if (store.predicate) need(*store.predicate);
        need(store.value);
        store_to(store.buffer, address_of(store.index));
    }

    template <typename F>
    void in_scope(F f) {
        const size_t before = order_.size();
        ++block_;
        f();
        ++block_;
        for (; order_.size() > before; order_.pop_back()) known_.erase(order_.back());
    }

    // Addresses that differ by a constant are different; any others may be equal.
    struct Address {
        ValueHash base = 0;
        int64_t offset = 0;
    };
    Address address_of(ExprId index) {
        const Expr &expr = named(index);
        if (expr.type.lanes > 1) return {number(index), 0};
        if (expr.op == Op::integer_constant) return {0, expr.integer};
        if (expr.op == Op::add) {
            const Expr &added = code_.expr(expr.operands[1]);
            if (added.op == Op::integer_constant) return {number(expr.operands[0]), added.integer};
        }
        return {number(index), 0};
    }

    // Returns how many stores there have been that a load of `address` may see.
    struct Stores {
        uint64_t all = 0;
        std::map<ValueHash, uint64_t> of_base;
        std::map<std::pair<ValueHash, int64_t>, uint64_t> of_address;
    };
    uint64_t version(BufferId buffer, const Address &address) {
        Stores &stores = stores_[buffer.index()];
        return Hasher(stores.all - stores.of_base[address.base])
            .add(stores.of_address[{address.base, address.offset}])
            .value();
    }
    void store_to(BufferId buffer, const Address &address) {
        Stores &stores = stores_[buffer.index()];
        ++stores.all;
        ++stores.of_base[address.base];
        ++stores.of_address[{address.base, address.offset}];
    }
    void store_anywhere_in(BufferId buffer) { ++stores_[buffer.index()].all; }
    void store_all_of(StatementId id) {
        const Statement &statement = code_.statement(id);
        if (const auto *store = std::get_if<lowered::Store>(&statement)) {
            store_anywhere_in(store->buffer);
        }
        for (StatementId child : children(statement)) store_all_of(child);
    }

    // Returns one number for all expressions that compute the same value. Within one statement it
    // is remembered by expression.
    ValueHash number(ExprId id) {
        const auto known = numbers_.find(id.index());
        if (known != numbers_.end()) return known->second;
        const ValueHash value = number(code_.expr(id));
        return numbers_[id.index()] = value;
    }
    ValueHash number(const Expr &expr) {
        if (expr.op == Op::variable) {
            const auto value = values_.find(expr.variable.index());
            if (value != values_.end()) return value->second;
        }
        if (expr.op == Op::let) {
            values_[expr.variable.index()] = number(expr.operands[0]);
            return number(expr.operands[1]);
        }
        Hasher hasher = hash_of_node(expr);
        if (expr.op == Op::load) {
            hasher.add(expr.buffer.index());
            hasher.add(version(expr.buffer, address_of(expr.operands[0])));
        }
        for (ExprId operand : expr.operands) hasher.add(number(operand));
        return hasher.value();
    }

    void compute(ExprId id) {
        const Expr &expr = code_.expr(id);
        if (expr.op == Op::variable || expr.operands.empty()) return;
        const ValueHash value = number(id);
        if (expr.op == Op::let) {  // a let's value is that of its body
            for (ExprId operand : expr.operands) compute(operand);
            return;
        }
        if (!known_.insert(value).second) return;
        order_.push_back(value);
        const bool works = is_operation(expr) && (is_real(expr) || depends_on_data_[id.index()]);
        for (size_t i = 0; i < expr.operands.size(); ++i) {
            const bool address = expr.op == Op::load && i == 0;
            address ? compute_address(expr.operands[i]) : compute(expr.operands[i]);
        }
        use_products(expr, works && (expr.op == Op::add || expr.op == Op::subtract));
        if (expr.op == Op::multiply) products_[value] = {now_, block_, expr.type};
        if (works) {
            count(expr);
        } else if (is_operation(expr)) {
            of_statement_[now_].other += 1;  // neighbours of a vector share their address
        } else if (rewrites(expr)) {
            of_statement_[now_].other += lanes_of(expr);
        }
        const double each = works ? lanes_of(expr) : 1;
        of_statement_[now_].other += each * inside_division(expr);
    }

    // What an integer division or remainder by a constant takes more than one instruction. The
    // remainder is made of the quotient, which both share.
    double inside_division(const Expr &expr) {
        const bool is_remainder = expr.op == Op::remainder || expr.op == Op::remainder_to_zero;
        const bool to_zero = expr.op == Op::divide_to_zero || expr.op == Op::remainder_to_zero;
        if (is_real(expr) || !(is_remainder || to_zero || expr.op == Op::divide)) return 0;
        const Expr &divisor = named(expr.operands[1]);
        if (divisor.op != Op::integer_constant) return 0;
        const double inner = inner_instructions_by_constant(expr.type, divisor.integer);
        const ValueHash quotient = Hasher(number(expr.operands[0]))
                                       .add(static_cast<uint64_t>(divisor.integer))
                                       .add(expr.type.bits)
                                       .add(to_zero ? uint64_t{1} : uint64_t{0})
                                       .value();
        if (inner == 0 || !known_.insert(quotient).second) return 0;
        order_.push_back(quotient);
        return is_remainder ? inner + 1 : inner;
    }

    // An address: a constant in it is part of the instruction.
    void compute_address(ExprId id) {
        const Expr &expr = code_.expr(id);
        const bool offset = expr.op == Op::add && expr.type.lanes == 1 &&
                            code_.expr(expr.operands[1]).op == Op::integer_constant;
        need(offset ? expr.operands[0] : id);
    }

    // Computes what the code needs in a register.
    void need(ExprId id) {
        compute(id);
        if (Product *product = product_of(id)) keep(*product);
    }

    // A multiplication is part of the additions that take up its product, and is not done by itself
    // if these are all that use it and stand in the same block of code (machine code of sm_90: both
    // sums of a * b + c and a * b + d are one instruction each; that of a loop takes up no product
    // from before it).
    struct Product {
        size_t statement = 0;  // which computes it
        size_t block = 0;
        lowered::Type type = {};
        bool is_fused = false, is_kept = false;
    };
    Product *product_of(ExprId id) {
        while (code_.expr(id).op == Op::broadcast) id = code_.expr(id).operands[0];
        const auto product = products_.find(number(id));
        return product == products_.end() ? nullptr : &product->second;
    }
    void fuse(Product &product, bool is_fused) {
        if (std::exchange(product.is_fused, is_fused) == is_fused) return;
        const double lanes = is_fused ? product.type.lanes : -product.type.lanes;
        Operations &operations = of_statement_[product.statement];
        if (is_double(product.type)) {
            operations.double_instructions -= lanes;
        } else if (product.type.kind == lowered::Type::Kind::real) {
            operations.fused_floats += lanes;
        } else {
            operations.fused_integers += lanes;
        }
    }
    void keep(Product &product) {
        fuse(product, false);
        product.is_kept = true;
    }

    // An addition takes up one of its operands, rather one that others take up, too.
    void use_products(const Expr &user, bool adds) {
        if (user.op == Op::broadcast) return;
        Product *taken = nullptr;
        for (size_t i = user.op == Op::load ? 1 : 0; i < user.operands.size(); ++i) {
            Product *product = product_of(user.operands[i]);
            if (product == nullptr || product == taken) continue;
            if (adds && !product->is_kept && product->block == block_ &&
                (taken == nullptr || product->is_fused)) {
                std::swap(taken, product);
            }
            if (product != nullptr) keep(*product);
        }
        if (taken != nullptr) fuse(*taken, true);
    }

    void count(const Expr &expr) {
        const double lanes = lanes_of(expr);
        Operations &operations = of_statement_[now_];
        (is_real(expr) ? operations.floats : operations.integers) += lanes;
        if (is_special(expr)) {
            const InnerInstructions inner = inner_instructions(expr);
            operations.special += lanes;
            operations.other += lanes * inner.other;
            operations.double_instructions += lanes * inner.doubles;
        } else if (is_double(expr.type)) {
            operations.doubles += lanes;
            operations.double_instructions += lanes;
        }
    }

    // Returns true for what chooses or rewrites an existing number. Loads widen integers
    // themselves.
    bool rewrites(const Expr &expr) const {
        switch (expr.op) {
            case Op::equal:
            case Op::not_equal:
            case Op::less:
            case Op::less_equal:
            case Op::logical_and:
            case Op::logical_or:
            case Op::select:
            case Op::choose:
                return true;
            case Op::cast: {
                const Expr &from = code_.expr(expr.operands[0]);
                return is_real(expr) || is_real(from) || expr.type.bits < from.type.bits;
            }
            default:
                return false;
        }
    }

    bool is_special(const Expr &expr) const {
        switch (expr.op) {
            case Op::divide:
            case Op::remainder:
            case Op::divide_to_zero:
            case Op::remainder_to_zero:
                return !is_constant(named(expr.operands[1]));
            case Op::square_root:
            case Op::exponential:
            case Op::logarithm:
            case Op::power:
            case Op::sine:
            case Op::cosine:
                return true;
            default:
                return false;
        }
    }

    // Returns the expression itself, behind the names and copies that stand for it.
    const Expr &named(ExprId id) const {
        const Expr *expr = &code_.expr(id);
        while (true) {
            if (expr->op == Op::broadcast) {
                expr = &code_.expr(expr->operands[0]);
            } else if (expr->op == Op::variable && bound_[expr->variable.index()] != kUnbound) {
                expr = &code_.exprs[bound_[expr->variable.index()]];
            } else {
                return *expr;
            }
        }
    }

    const Code &code_;
    const std::vector<size_t> bound_;    // by variable
    std::vector<bool> depends_on_data_;  // by expression
    std::vector<Operations> of_statement_;
    size_t now_ = 0;                                 // the current statement
    std::unordered_map<size_t, ValueHash> values_;   // of let variables
    std::unordered_map<size_t, ValueHash> numbers_;  // by expression, for the current statement
    std::unordered_map<size_t, Stores> stores_;      // by buffer
    std::unordered_set<ValueHash> known_;
    std::vector<ValueHash> order_;  // the keys of known_, in order
    std::unordered_map<ValueHash, Product> products_;
    size_t block_ = 0;  // the current block of code: all of it runs, or nothing
};

}  // namespace

std::vector<Operations> operations_by_statement(const Code &code,
                                                const std::vector<StatementId> &kernels) {
    OperationWalk walk(code);
    for (StatementId kernel : kernels) {
        walk.forget();
        walk.walk(kernel);
    }
    return std::move(walk).result();
}

}  // namespace autoschedule_gpu
