// One definition of a Halide Func, prepared for analysis. Everything that halide/read derives
// (bounds, loads, operations) starts from here, so that all of it sees the same expressions:
//
//   - loop variables are called "loop.0", "loop.1" ... in the order of Stage::loops, because a
//     parameter may have the name of a Var; ends of their ranges are the variables "reg.0",
//     "reg.1" ... of region programs (reg.2k = min, reg.2k+1 = max of loop k);
//   - calls of images are called "image:NAME", so that no Func has the same name;
//   - strict_float is taken off: only values depend on it, never which elements are read.
#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

namespace autoschedule_gpu::reading {

namespace HI = Halide::Internal;

struct StageSource {
    HI::Function func;
    int index = 0;
    std::vector<HI::Dim> dims;                 // innermost first, without __outermost
    std::vector<HI::ReductionVariable> rvars;  // those of the RDom, in its order
    std::vector<Halide::Expr> args;            // left-hand side; the loops themselves for stage 0
    std::vector<Halide::Expr> values;
    Halide::Expr predicate;  // undefined when the definition is unconditional
    // The predicate as conditions that must all hold: bounds analysis can use each of them alone.
    std::vector<Halide::Expr> conditions;

    const HI::Definition &definition() const {
        return index == 0 ? func.definition() : func.update(index - 1);
    }
};

// Return "loop.0" and "reg.0" for 0.
std::string loop_variable(size_t loop);
std::string register_variable(size_t reg);
// Returns the register that a variable stands for; -1 if it stands for none.
int register_of(const std::string &variable);

// Returns the key of an image: "image:NAME".
std::string image_key(const std::string &image);
// Returns the image's name of a key; empty if `key` is a Func's.
std::string image_of(const std::string &key);

// Returns the stage; that of an extern definition has no values. `loops`: innermost first, if they
// are other ones than those of its schedule.
StageSource stage_source(const HI::Function &func, int index,
                         const std::vector<HI::Dim> *loops = nullptr);

// Whether Halide drops the stage, since none of its values is defined.
bool is_undefined(const StageSource &stage);

// Returns `expr` with calls of images renamed and strict_float taken off; loop variables stay as
// they are.
Halide::Expr prepared(const Halide::Expr &expr);

}  // namespace autoschedule_gpu::reading
