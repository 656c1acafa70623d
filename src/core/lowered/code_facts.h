// Facts about lowered code that are known without running it.
#pragma once

#include <vector>

#include "core/lowered/lowered.h"
#include "core/support/hash.h"

namespace autoschedule_gpu {

struct CodeFacts {
    // loads[e] is true if expression e contains a load.
    std::vector<bool> loads;
    // The outermost block loops: one per kernel, in the order of the code.
    std::vector<lowered::StatementId> kernels;
    // has_serial_loop[s] is true if statement s is a serial loop or contains one.
    std::vector<bool> has_serial_loop;

    explicit CodeFacts(const lowered::Code &code);
};

// Returns, for each statement, whether it is `inner` or contains it.
std::vector<bool> contains(const lowered::Code &code, lowered::StatementId inner);

// Returns the statements directly inside, in the order of the code.
std::vector<lowered::StatementId> children(const lowered::Statement &statement);

// Returns the hash of what an expression is by itself: operation, type, constant and variable, but
// neither operands nor buffer, which value numbering adds.
Hasher hash_of_node(const lowered::Expr &expr);

}  // namespace autoschedule_gpu
