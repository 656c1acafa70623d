// The loops that a compiler hands to its GPU back end, as plain data: what is left of a pipeline
// once storage is flat, bounds are known and loops are unrolled and vectorised. It is Halide's
// "conceptual" statement in our own words (halide/lower/read_loops.h), or written by hand in a
// test.
//
// Expressions and statements live in arenas and refer to each other by index. A variable is a slot:
// every let and every loop has its own, so that names never shadow one another. Sizes of buffers
// that exist before the code runs are numbers; those of allocations are expressions.
//
// This is a value type without behaviour; `check` states what the traffic counter relies on.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/support/error.h"
#include "core/support/memory_kind.h"
#include "core/support/strong_id.h"

namespace autoschedule_gpu::lowered {

using ExprId = StrongId<struct ExprTag>;
using StatementId = StrongId<struct StatementTag>;
using VariableId = StrongId<struct VariableTag>;
using BufferId = StrongId<struct BufferTag>;

// `lanes` > 1 is a vector of one thread, such as the four floats of a wide load.
struct Type {
    enum class Kind : uint8_t { integer, natural, real };
    Kind kind = Kind::integer;
    uint8_t bits = 32;
    uint16_t lanes = 1;

    friend bool operator==(const Type &, const Type &) = default;
};

// Division and remainder of integers are Euclidean: the remainder is never negative, and dividing
// by zero gives zero. That is what Halide means by / and %.
enum class Op : uint8_t {
    integer_constant,  // `integer`
    real_constant,     // `real`
    variable,          // `variable`
    add,
    subtract,
    multiply,
    divide,
    remainder,
    divide_to_zero,     // of integers, as in C; by zero gives zero
    remainder_to_zero,  // has the sign of the dividend
    minimum,
    maximum,
    equal,
    not_equal,
    less,
    less_equal,
    logical_and,
    logical_or,
    logical_not,
    select,       // condition, then, else; both sides are evaluated
    choose,       // condition, then, else; only the chosen side is evaluated
    cast,         // to `type`, wrapping integers
    ramp,         // base, stride: base + lane * stride
    broadcast,    // repeated to `type.lanes`
    concatenate,  // vectors one after the other
    take_lanes,   // lanes of operand 0; the other operands are constants: the lane numbers
    let,          // `variable` is operand 0 in operand 1
    load,         // of `buffer`; operands: index and, optionally, a predicate
    absolute,
    floor,
    ceiling,
    round,
    truncate,
    square_root,
    exponential,
    logarithm,
    power,
    sine,
    cosine,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    bitwise_not,
    shift_left,  // a negative amount shifts to the right
    shift_right,
    unknown,  // stands for a value that is not known; its loads still count
};

struct Expr {
    Op op = Op::integer_constant;
    Type type;
    std::vector<ExprId> operands;
    int64_t integer = 0;
    double real = 0;
    VariableId variable;
    BufferId buffer;
    // Loads only: how many neighbouring elements of a vector one instruction moves.
    int elements_per_instruction = 1;
    bool atomic = false;  // part of an atomic store
};

struct Dimension {
    int64_t extent = 1;
    int64_t stride = 1;  // in elements
};

struct Buffer {
    std::string name;
    // A thread's own arrays are all `local`; whether they become registers is up to the compiler.
    MemoryKind memory = MemoryKind::global;
    int64_t element_bytes = 4;
    // Buffers that exist before the code runs have `dims`. Indices count from the first element.
    std::vector<Dimension> dims;
    // Allocations have `extents`. They are dense, and the first dimension is innermost.
    std::vector<ExprId> extents;
};

enum class LoopKind : uint8_t { serial, block, thread };

struct For {
    LoopKind kind = LoopKind::serial;
    int axis = 0;  // block and thread loops only: 0, 1, 2 for x, y, z
    std::string name;
    VariableId variable;
    ExprId min;
    ExprId extent;
    StatementId body;
};

struct Let {
    VariableId variable;
    ExprId value;
    StatementId body;
};

struct If {
    ExprId condition;
    StatementId then_case;
    std::optional<StatementId> else_case;
};

struct Store {
    BufferId buffer;
    ExprId index;
    ExprId value;
    std::optional<ExprId> predicate;
    int elements_per_instruction = 1;
    bool atomic = false;  // one operation together with the load of the same element in `value`
};

// `buffer` exists while `body` runs.
struct Allocate {
    BufferId buffer;
    StatementId body;
};

struct Evaluate {
    ExprId value;
};

// All threads of the block wait for each other. Afterwards, copies of shared memory that they keep
// in registers are out of date.
struct Barrier {};

struct Sequence {
    std::vector<StatementId> statements;
};

using Statement = std::variant<For, Let, If, Store, Allocate, Evaluate, Barrier, Sequence>;

struct Code {
    std::vector<Expr> exprs;
    std::vector<Statement> statements;
    std::vector<Buffer> buffers;
    std::vector<std::string> variables;  // their names, for error messages
    StatementId root;

    const Expr &expr(ExprId id) const { return exprs[id.index()]; }
    const Statement &statement(StatementId id) const { return statements[id.index()]; }
    const Buffer &buffer(BufferId id) const { return buffers[id.index()]; }

    ExprId add(Expr expr);
    StatementId add(Statement statement);
    BufferId add(Buffer buffer);
    VariableId add_variable(std::string name);
};

// Succeeds if every reference is to something that was added before it, the numbers of operands and
// lanes agree, and no block loop is inside a thread loop. The error names the first offender.
Status check(const Code &code);

}  // namespace autoschedule_gpu::lowered
