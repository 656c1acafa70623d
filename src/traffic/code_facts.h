// What can be said of lowered code without running it.
#pragma once

#include <vector>

#include "traffic/lowered.h"

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

}  // namespace autoschedule_gpu
