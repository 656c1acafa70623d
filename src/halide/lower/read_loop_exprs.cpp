#include "halide/lower/read_loop_exprs.h"

#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

#include "halide/version/version.h"

namespace autoschedule_gpu::reading {

using lowered::BufferId;
using lowered::ExprId;
using lowered::Op;
using lowered::VariableId;

namespace {

// One instruction of a thread moves at most this many bytes.
constexpr int kWidestBytes = 16;

lowered::Type type_of(const Halide::Type &type) {
    using Kind = lowered::Type::Kind;
    const Kind kind = type.is_float() ? Kind::real : type.is_int() ? Kind::integer : Kind::natural;
    return {kind, static_cast<uint8_t>(type.bits()), static_cast<uint16_t>(type.lanes())};
}

// Maps functions of the mathematics library, without their type's suffix, to operations.
const std::map<std::string, Op> &math_functions() {
    static const std::map<std::string, Op> functions = {
        {"floor", Op::floor},      {"ceil", Op::ceiling},    {"trunc", Op::truncate},
        {"sqrt", Op::square_root}, {"exp", Op::exponential}, {"log", Op::logarithm},
        {"pow", Op::power},        {"sin", Op::sine},        {"cos", Op::cosine},
        {"abs", Op::absolute},     {"round", Op::round}};
    return functions;
}

const std::map<std::string, Op> &plain_intrinsics() {
    static const std::map<std::string, Op> intrinsics = [] {
        using Call = HI::Call;
        std::map<std::string, Op> ops;
        const auto add = [&](Call::IntrinsicOp intrinsic, Op op) {
            ops[Call::get_intrinsic_name(intrinsic)] = op;
        };
        add(Call::abs, Op::absolute);
        add(Call::round, Op::round);
        add(Call::bitwise_and, Op::bitwise_and);
        add(Call::bitwise_or, Op::bitwise_or);
        add(Call::bitwise_xor, Op::bitwise_xor);
        add(Call::bitwise_not, Op::bitwise_not);
        add(Call::shift_left, Op::shift_left);
        add(Call::shift_right, Op::shift_right);
        return ops;
    }();
    return intrinsics;
}

// Returns true for intrinsics whose value is that of their first argument.
bool is_transparent(const HI::Call *op) {
    return op->is_intrinsic({HI::Call::likely, HI::Call::likely_if_innermost,
                             HI::Call::promise_clamped, HI::Call::unsafe_promise_clamped});
}

}  // namespace

class LoopExprReader::Visitor : public HI::IRVisitor {
public:
    explicit Visitor(LoopExprReader &reader) : reader_(reader) {}

    ExprId read(const Halide::Expr &expr) {
        const auto known = memo_.find(expr.get());
        if (known != memo_.end()) return known->second;
        result_ = ExprId();
        expr.accept(this);
        memo_[expr.get()] = result_;
        return result_;
    }

protected:
    using IRVisitor::visit;

    void visit(const HI::IntImm *op) override { integer(op->type, op->value); }
    void visit(const HI::UIntImm *op) override {
        integer(op->type, static_cast<int64_t>(op->value));
    }
    void visit(const HI::FloatImm *op) override {
        lowered::Expr expr;
        expr.op = Op::real_constant;
        expr.type = type_of(op->type);
        expr.real = op->value;
        result_ = reader_.code_.add(std::move(expr));
    }
    void visit(const HI::StringImm *op) override { unknown(op->type, {}); }

    void visit(const HI::Add *op) override { node(Op::add, op->type, {op->a, op->b}); }
    void visit(const HI::Sub *op) override { node(Op::subtract, op->type, {op->a, op->b}); }
    void visit(const HI::Mul *op) override { node(Op::multiply, op->type, {op->a, op->b}); }
    void visit(const HI::Div *op) override { node(Op::divide, op->type, {op->a, op->b}); }
    void visit(const HI::Mod *op) override { node(Op::remainder, op->type, {op->a, op->b}); }
    void visit(const HI::Min *op) override { node(Op::minimum, op->type, {op->a, op->b}); }
    void visit(const HI::Max *op) override { node(Op::maximum, op->type, {op->a, op->b}); }
    void visit(const HI::EQ *op) override { node(Op::equal, op->type, {op->a, op->b}); }
    void visit(const HI::NE *op) override { node(Op::not_equal, op->type, {op->a, op->b}); }
    void visit(const HI::LT *op) override { node(Op::less, op->type, {op->a, op->b}); }
    void visit(const HI::LE *op) override { node(Op::less_equal, op->type, {op->a, op->b}); }
    void visit(const HI::GT *op) override { node(Op::less, op->type, {op->b, op->a}); }
    void visit(const HI::GE *op) override { node(Op::less_equal, op->type, {op->b, op->a}); }
    void visit(const HI::And *op) override { node(Op::logical_and, op->type, {op->a, op->b}); }
    void visit(const HI::Or *op) override { node(Op::logical_or, op->type, {op->a, op->b}); }
    void visit(const HI::Not *op) override { node(Op::logical_not, op->type, {op->a}); }
    void visit(const HI::Cast *op) override { node(Op::cast, op->type, {op->value}); }
    void visit(const HI::Ramp *op) override { node(Op::ramp, op->type, {op->base, op->stride}); }
    void visit(const HI::Broadcast *op) override { node(Op::broadcast, op->type, {op->value}); }
    void visit(const HI::VectorReduce *op) override { unknown(op->type, {op->value}); }

    void visit(const HI::Select *op) override {
        conditional(Op::select, op->condition, op->true_value, op->false_value);
    }

    void visit(const HI::Reinterpret *op) override {
        const bool real = op->type.is_float() || op->value.type().is_float();
        const bool same_bits = op->type.bits() == op->value.type().bits();
        if (real || !same_bits || op->type.lanes() != op->value.type().lanes()) {
            unknown(op->type, {op->value});
        } else {
            node(Op::cast, op->type, {op->value});
        }
    }

    void visit(const HI::Shuffle *op) override {
        lowered::Expr all;
        all.op = Op::concatenate;
        all.type = type_of(op->vectors[0].type());
        int lanes = 0;
        for (const Halide::Expr &vector : op->vectors) {
            lanes += vector.type().lanes();
            all.operands.push_back(read(vector));
        }
        all.type.lanes = static_cast<uint16_t>(lanes);
        lowered::Expr taken;
        taken.op = Op::take_lanes;
        taken.type = type_of(op->type);
        taken.operands.push_back(reader_.code_.add(std::move(all)));
        for (const int index : op->indices) {
            integer(Halide::Int(32), index);
            taken.operands.push_back(result_);
        }
        result_ = reader_.code_.add(std::move(taken));
    }

    void visit(const HI::Let *op) override {
        const ExprId value = read(op->value);
        lowered::Expr expr;
        expr.op = Op::let;
        expr.type = type_of(op->type);
        expr.variable = reader_.enter(op->name);
        // Inside, a variable of the same name may be another one, so remembered expressions do not
        // hold.
        auto outside = std::exchange(memo_, {});
        const ExprId body = read(op->body);
        memo_ = std::move(outside);
        reader_.leave(op->name);
        expr.operands = {value, body};
        result_ = reader_.code_.add(std::move(expr));
    }

    void visit(const HI::Load *op) override {
        lowered::Expr expr;
        expr.op = Op::load;
        expr.type = type_of(op->type);
        expr.buffer = reader_.buffer(op->name, op->type);
        expr.operands = {read(op->index)};
        const bool whole = HI::is_const_one(op->predicate);
        if (!whole) expr.operands.push_back(read(op->predicate));
        expr.elements_per_instruction =
            whole ? reader_.elements_per_instruction(op->name, op->type, op->index, op->alignment)
                  : 1;
        expr.atomic = op->name == reader_.atomic_buffer_;
        result_ = reader_.code_.add(std::move(expr));
    }

    void visit(const HI::Variable *op) override {
        const auto bound = reader_.variables_.find(op->name);
        if (bound == reader_.variables_.end() || bound->second.empty()) return free_variable(op);
        lowered::Expr expr;
        expr.op = Op::variable;
        expr.type = type_of(op->type);
        expr.variable = bound->second.back();
        result_ = reader_.code_.add(std::move(expr));
    }

    void visit(const HI::Call *op) override {
        if (const auto size = buffer_size(*op, reader_.external_)) return integer(op->type, *size);
        if (op->name == "_halide_buffer_is_bounds_query") return integer(op->type, 0);
        if (is_transparent(op)) return again(op->args[0]);
        if (halide_version::is_strict_float(*op)) {
            return again(halide_version::without_strict_float(*op));
        }
        if (op->is_intrinsic(HI::Call::mux)) return mux(op);
        if (op->is_intrinsic(HI::Call::if_then_else) && op->args.size() == 3) {
            return conditional(Op::choose, op->args[0], op->args[1], op->args[2]);
        }
        if (const auto plain = plain_intrinsics().find(op->name);
            op->is_intrinsic() && plain != plain_intrinsics().end()) {
            return node(plain->second, op->type, op->args);
        }
        if (op->is_intrinsic(HI::Call::div_round_to_zero) ||
            op->is_intrinsic(HI::Call::mod_round_to_zero)) {
            const bool divide = op->is_intrinsic(HI::Call::div_round_to_zero);
            return node(divide ? Op::divide_to_zero : Op::remainder_to_zero, op->type, op->args);
        }
        const std::string math = op->name.substr(0, op->name.rfind("_f"));
        if (const auto found = math_functions().find(math);
            found != math_functions().end() && op->call_type == HI::Call::PureExtern) {
            return node(found->second, op->type, op->args);
        }
        if (op->is_intrinsic()) {
            const Halide::Expr simple = HI::lower_intrinsic(op);
            if (simple.defined()) return again(simple);
        }
        unknown(op->type, op->args);
    }

private:
    void node(Op op, const Halide::Type &type, const std::vector<Halide::Expr> &operands) {
        lowered::Expr expr;
        expr.op = op;
        expr.type = type_of(type);
        for (const Halide::Expr &operand : operands) expr.operands.push_back(read(operand));
        result_ = reader_.code_.add(std::move(expr));
    }

    void integer(const Halide::Type &type, int64_t value) {
        lowered::Expr expr;
        expr.op = Op::integer_constant;
        expr.type = type_of(type);
        expr.integer = value;
        result_ = reader_.code_.add(std::move(expr));
    }

    void unknown(const Halide::Type &type, const std::vector<Halide::Expr> &operands) {
        node(Op::unknown, type, operands);
    }

    // Reads an expression made here. It is kept as long as the visitor lives, because the memo is
    // keyed by address.
    void again(const Halide::Expr &expr) {
        made_.push_back(expr);
        const ExprId id = read(expr);
        result_ = id;
    }

    // Adds a conditional; a scalar condition may choose between vectors.
    void conditional(Op op, Halide::Expr condition, const Halide::Expr &yes,
                     const Halide::Expr &no) {
        if (condition.type().lanes() != yes.type().lanes()) {
            condition = HI::Broadcast::make(condition, yes.type().lanes());
            made_.push_back(condition);
        }
        node(op, yes.type(), {condition, yes, no});
    }

    void mux(const HI::Call *op) {
        Halide::Expr value = op->args.back();
        for (size_t i = op->args.size() - 1; i-- > 1;) {
            value = HI::Select::make(op->args[0] == static_cast<int>(i - 1), op->args[i], value);
        }
        again(value);
    }

    // Reads a parameter of the pipeline. Any other free variable has no value, which is an error.
    void free_variable(const HI::Variable *op) {
        if (op->param.defined() && !op->param.is_buffer()) {
            const Halide::Expr value =
                reader_.estimates_.with_estimates(Halide::Expr(op), reader_.gaps_);
            if (!value.same_as(op)) return again(value);
        }
        lowered::Expr expr;
        expr.op = Op::variable;
        expr.type = type_of(op->type);
        expr.variable = reader_.code_.add_variable(op->name);
        result_ = reader_.code_.add(std::move(expr));
    }

    LoopExprReader &reader_;
    ExprId result_;
    std::map<const void *, ExprId> memo_;
    std::vector<Halide::Expr> made_;
};

LoopExprReader::LoopExprReader(lowered::Code &code, std::map<std::string, ExternalBuffer> buffers,
                               const Estimates &estimates, Gaps &gaps)
    : code_(code), estimates_(estimates), gaps_(gaps), external_(std::move(buffers)) {}

ExprId LoopExprReader::read(const Halide::Expr &expr) {
    return Visitor(*this).read(expr);
}

VariableId LoopExprReader::enter(const std::string &name) {
    return variables_[name].emplace_back(code_.add_variable(name));
}

void LoopExprReader::leave(const std::string &name) {
    variables_[name].pop_back();
}

BufferId LoopExprReader::enter_buffer(lowered::Buffer buffer) {
    std::string name = buffer.name;
    return buffers_[name].emplace_back(code_.add(std::move(buffer)));
}

void LoopExprReader::leave_buffer(const std::string &name) {
    buffers_[name].pop_back();
}

BufferId LoopExprReader::buffer(const std::string &name, const Halide::Type &accessed_as) {
    const auto allocated = buffers_.find(name);
    if (allocated != buffers_.end() && !allocated->second.empty()) {
        return allocated->second.back();
    }
    const auto known = external_ids_.find(name);
    if (known != external_ids_.end()) return known->second;
    lowered::Buffer buffer;
    buffer.name = name;
    buffer.memory = MemoryKind::global;
    buffer.element_bytes = accessed_as.bytes();
    const auto external = external_.find(name);
    if (external != external_.end()) {
        buffer.element_bytes = external->second.element_bytes;
        buffer.dims = external->second.dims;
    }
    return external_ids_[name] = code_.add(std::move(buffer));
}

int LoopExprReader::elements_per_instruction(const std::string &buffer, const Halide::Type &type,
                                             const Halide::Expr &index,
                                             const HI::ModulusRemainder &alignment) const {
    const auto *ramp = index.as<HI::Ramp>();
    if (ramp == nullptr || !HI::is_const_one(ramp->stride)) return 1;
    const int64_t aligned_elements =
        std::gcd(std::abs(alignment.modulus), std::abs(alignment.remainder));
    const int bytes = type.bytes();
    const auto external = external_.find(buffer);
    int elements = 1;
    while (elements * 2 * bytes <= kWidestBytes && type.lanes() % (elements * 2) == 0 &&
           aligned_elements % (elements * 2) == 0) {
        elements *= 2;
    }
    if (external == external_.end() || elements * bytes <= external->second.alignment_bytes) {
        return elements;
    }
    // Halide takes a user's buffer to be aligned to 16 bytes only where exactly four elements of 32
    // bits are accessed. For any other width, the alignment must have been promised.
    const bool just_that = type.lanes() == 4 && type.bits() == 32 && elements == 4;
    return just_that ? 4 : 1;
}

}  // namespace autoschedule_gpu::reading
