// Numbers that the host computes before a launch and keeps in arrays of one element: how much
// shared memory a block has where that differs from block to block is the maximum, which Halide has
// a loop on the host find. What a loop of many iterations leaves is taken from its first, its last
// and some in the middle.
#pragma once

#include <vector>

#include "core/lowered/lowered.h"
#include "lab/traffic/evaluator.h"

namespace autoschedule_gpu {

// By statement: whether it stores to such a number, or contains one that does.
std::vector<bool> stores_to_host_scalars(const lowered::Code &code);

class HostScalars {
public:
    // `stores`: stores_to_host_scalars(). All must outlive it.
    HostScalars(const lowered::Code &code, const std::vector<bool> &stores, Evaluator &evaluator);

    // Does what a statement of the host that contains no kernel does to such numbers.
    void run(lowered::StatementId id);

private:
    void run_store(const lowered::Store &store);
    void run_loop(const lowered::For &loop);
    void run_let(const lowered::Let &let);
    void run_branch(const lowered::If &branch);

    const lowered::Code &code_;
    const std::vector<bool> &stores_;
    Evaluator &evaluator_;
};

}  // namespace autoschedule_gpu
