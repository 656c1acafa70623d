// Compiles Halide's symbolic bounds into region programs.
#pragma once

#include <Halide.h>

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/dag/region_program.h"
#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {

// Returns `expr` as add + sum(coefficient * register) if it is exactly that; nullopt if anything
// but register variables and constants occurs in it, or it is not affine.
std::optional<AffineBound> affine_form(const Halide::Expr &expr);

// Collects the bounds of one program and computes equal subexpressions once. Registers appear in
// the expressions as register_variable(n).
class RegionCompiler {
public:
    explicit RegionCompiler(size_t inputs) : inputs_(inputs) {}

    // Returns nullopt if the expression contains what region programs cannot express (a free
    // variable, double precision, an unknown call ...), or if the program would become too long.
    std::optional<RegionBound> compile(const Halide::Expr &expr);

    RegionProgramId add_to(RegionCode &code, std::vector<RegionDimension> dims) const {
        return code.add(inputs_, instructions_, std::move(dims));
    }

private:
    // The value reg * coefficient + add; a constant has coefficient 0.
    struct Value {
        uint16_t reg = 0;
        int64_t coefficient = 0;
        int64_t add = 0;
        bool is_constant() const { return coefficient == 0; }
    };
    // Thrown inside, but never out of `compile`.
    struct Unsupported {};
    class Scope;

    Value value(const Halide::Expr &expr);
    Value value_uncached(const Halide::Expr &expr);
    Value variable(const HI::Variable *op);
    Value cast(const HI::Cast *op);
    Value call(const HI::Call *op);
    Value select(const Halide::Expr &condition, const Halide::Expr &yes, const Halide::Expr &no);
    Value negated(Value condition);
    Value let(const HI::Let *op);
    Value constant_float(double constant);

    Value sum(Value a, Value b, int64_t sign);
    Value product(Value a, Value b);
    Value extremum(Value a, Value b, RegionOp op, RegionOp op_imm);
    Value divided(Value a, Value b, RegionOp op, RegionOp op_imm);
    // Wraps the result of integer arithmetic if its type wraps around.
    Value in_type(Value v, const Halide::Type &type);

    template <typename Node>
    Value binary(const Node *op, RegionOp code, RegionOp float_code);
    template <typename Node>
    Value compare(const Node *op, RegionOp code, RegionOp float_code, bool swapped);

    uint16_t in_register(Value v);
    Value emit(RegionInstruction instruction);
    Value emit(RegionOp op, uint16_t a);
    Value emit(RegionOp op, uint16_t a, uint16_t b, uint16_t c = 0);
    Value emit_imm(RegionOp op, uint16_t a, int64_t imm);

    size_t inputs_;
    std::vector<RegionInstruction> instructions_;
    std::map<uint64_t, uint16_t> numbering_;  // instruction bits -> register
    std::map<const HI::IRNode *, std::pair<Halide::Expr, Value>> known_;
    std::map<std::string, Value> lets_;
};

}  // namespace autoschedule_gpu::reading
