// Region programs: bounds between stages as small integer programs (src/halide/README.md, 'Region
// programs'). A program maps intervals to intervals:
//
//     loops of a consumer stage      ->  region required of a producer      (Edge::region)
//     region required of a Func      ->  region computed of it              (Func::computed)
//
// Inputs are numbered registers, two per input interval: register 2k is the min and 2k+1 the max
// of input k. Instructions append one register each (static single assignment). A bound is always
// `reg * coefficient + add`; a constant has coefficient 0. All arithmetic is int64 and saturates
// at +-2^40; inputs must lie within +-2^61, which results of other programs do. Division and
// remainder are Halide's: the remainder is never negative (so division by a positive number rounds
// towards minus infinity), and anything divided by zero is zero.
//
// RegionCode owns all programs of a Dag in flat arrays. It is immutable once built; evaluation is
// const, allocates nothing and may run on any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/dag/interval.h"
#include "core/support/strong_id.h"

namespace autoschedule_gpu {

using RegionProgramId = StrongId<struct RegionProgramTag>;

inline constexpr int64_t kRegionLimit = int64_t{1} << 40;
// The limit of 2 * inputs + instructions of one program. The longest program of 17 real pipelines
// has 34 instructions.
inline constexpr size_t kMaxRegionRegisters = 256;

enum class RegionOp : uint8_t {
    constant,  // imm
    add,
    sub,
    mul,
    div,
    mod,
    min,
    max,  // a, b
    add_imm,
    mul_imm,
    div_imm,
    mod_imm,
    min_imm,
    max_imm,  // a, imm
    select,   // aux < 0 never; registers a ? b : c
    lt,
    le,
    eq,
    logical_and,
    logical_or,
    logical_not,
    wrap,  // a to aux bits; imm != 0: signed
    f_constant,
    f_add,
    f_sub,
    f_mul,
    f_div,
    f_min,
    f_max,  // binary32 in the low half
    f_floor,
    f_ceil,
    f_round,
    f_sqrt,
    f_lt,
    f_le,
    int_to_float,
    float_to_int,
};

// Returns how many of a, b, c an instruction reads as registers.
int register_operands(RegionOp op);

struct RegionInstruction {
    RegionOp op;
    uint8_t aux = 0;
    uint16_t a = 0;
    union {
        struct {
            uint16_t b, c;
        } reg;
        int32_t imm;
    };
};
static_assert(sizeof(RegionInstruction) == 8);

// The value is reg * coefficient + add.
struct RegionBound {
    uint16_t reg = 0;
    int32_t coefficient = 0;
    int64_t add = 0;
};

// A bound as an exact sum add + sum(coefficient_k * register_k) over *input* registers, for bounds
// that are one (the "affine fast path"). From it the search derives which extents are compile-time
// constants. A constant has no terms.
struct AffineBound {
    struct Term {
        uint16_t reg;
        int64_t coefficient;
        friend bool operator==(const Term &, const Term &) = default;
    };
    std::vector<Term> terms;
    int64_t add = 0;
};

struct RegionDimension {
    RegionBound lo, hi;
    // True when the bound is affine in the inputs *and* otherwise a compile-time constant: no
    // parameter, image size, min/max/select or division is involved.
    bool lo_affine = false, hi_affine = false;
    AffineBound lo_form, hi_form;
    // True when both bounds depend on nothing but the inputs and compile-time constants, affine or
    // not: no parameter and no image size is involved.
    bool inputs_only = false;
    // True when how many points are needed depends on a parameter or on the size of a buffer: with
    // other values than the estimated ones a block needs more, be it more than fits.
    bool grows = false;
    // Of what is asked of an input, or of a Func: true when that end lies within the input, or
    // within one whose size is part of the bound, whatever the size.
    bool lo_within = false, hi_within = false;
    // The inputs on which the bounds depend, ascending. Filled by RegionCode::add.
    std::vector<uint16_t> reads;
};

class RegionCode {
public:
    // Adds a program from `inputs` intervals to dims.size() intervals. The instructions must be in
    // SSA order: instruction i writes register 2 * inputs + i and reads only lower registers.
    // Throws std::invalid_argument when that or kMaxRegionRegisters is violated.
    RegionProgramId add(size_t inputs, std::span<const RegionInstruction> instructions,
                        std::vector<RegionDimension> dims);

    // Says that the bounds of `other`, which has as many inputs and dimensions and in which all
    // depends on inputs only, contain those of `id` whatever the values of parameters and the sizes
    // of buffers. A dimension of which that is not known reaches +-kRegionLimit.
    void set_widest(RegionProgramId id, RegionProgramId other);

    // What set_widest has said of a program; itself, if nothing. Dimensions of it that do not
    // depend on inputs only are not known.
    RegionProgramId widest(RegionProgramId id) const;

    // Requires in.size() >= inputs(id), out.size() >= outputs(id), and that the two do not overlap.
    // Never reads or writes past these.
    void evaluate(RegionProgramId id, std::span<const Interval> in, std::span<Interval> out) const;

    size_t size() const { return programs_.size(); }
    size_t inputs(RegionProgramId id) const { return programs_[id.index()].inputs; }
    size_t outputs(RegionProgramId id) const { return programs_[id.index()].dim_count; }
    size_t instructions(RegionProgramId id) const {
        return programs_[id.index()].instruction_count;
    }
    // Whether it returns its inputs, where they are within kRegionLimit, unchanged.
    bool is_identity(RegionProgramId id) const { return programs_[id.index()].is_identity; }
    const RegionDimension &dimension(RegionProgramId id, size_t dim) const;
    std::span<const RegionInstruction> instructions_of(RegionProgramId id) const;

    // Returns the program as text, "x: [x.min - 1, x.max + 1] y: [y.min, y.max]", for the text form
    // of a Dag. Inputs and output dimensions without a name are called i0, i1 ... and d0, d1 ...;
    // values that are used more than once are listed first as t0, t1 ...
    std::string describe(RegionProgramId id, std::span<const std::string> input_names = {},
                         std::span<const std::string> dim_names = {}) const;

    // Returns the hash of what a program computes, wherever it lies in this table.
    uint64_t hash(RegionProgramId id) const;

private:
    struct Program {
        uint32_t first_instruction, instruction_count;
        uint32_t first_dim, dim_count;
        uint32_t inputs;
        bool is_identity;
        RegionProgramId widest = {};  // invalid: itself
    };

    std::vector<Program> programs_;
    std::vector<RegionInstruction> instructions_;
    std::vector<RegionBound> bounds_;    // two per output dimension: lo, hi
    std::vector<RegionDimension> dims_;  // the same bounds with their affine forms
};

// Adds a program that returns its inputs unchanged, for Funcs that compute exactly what is
// required.
RegionProgramId add_identity(RegionCode &code, size_t dims);

}  // namespace autoschedule_gpu
