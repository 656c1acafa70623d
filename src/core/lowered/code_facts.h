// What can be said of lowered code without running it.
#pragma once

#include <vector>

#include "core/lowered/lowered.h"
#include "core/support/hash.h"

namespace autoschedule_gpu {

struct CodeFacts {
    // By expression: whether it contains a load.
    std::vector<bool> loads;
    // The outermost block loops, in the order of the code.
    std::vector<lowered::StatementId> kernels;
    // By statement: whether it is a serial loop or has one inside.
    std::vector<bool> has_serial_loop;

    explicit CodeFacts(const lowered::Code &code);
};

// By statement: whether it is `inner` or has it inside.
std::vector<bool> contains(const lowered::Code &code, lowered::StatementId inner);

// The statements directly inside, in the order of the code.
std::vector<lowered::StatementId> children(const lowered::Statement &statement);

// Of what an expression is by itself: operation, type, constant and variable, but no operand and no
// buffer. Value numbering goes on from there.
Hasher hash_of_node(const lowered::Expr &expr);

}  // namespace autoschedule_gpu
