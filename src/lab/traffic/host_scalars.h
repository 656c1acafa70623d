// Numbers that the host computes before a launch and keeps in arrays of one element: how much
// shared memory a block has where that differs from block to block is the maximum, which Halide has
// a loop on the host find. What a loop of many iterations leaves is taken from its first, its last
// and some in the middle.
#pragma once

#include <set>
#include <vector>

#include "core/lowered/lowered.h"
#include "lab/traffic/evaluator.h"

namespace autoschedule_gpu {

class HostScalars {
public:
    // Both must outlive it.
    HostScalars(const lowered::Code &code, Evaluator &evaluator);

    // Does what a statement of the host that contains no kernel does to such numbers.
    void run(lowered::StatementId id);

private:
    void run_store(const lowered::Store &store);
    void run_loop(const lowered::For &loop);
    void run_let(const lowered::Let &let);
    void run_branch(const lowered::If &branch);

    const lowered::Code &code_;
    Evaluator &evaluator_;
    std::set<lowered::BufferId> scalars_;
    std::vector<bool> stores_;  // by statement: contains a store to one of them
};

}  // namespace autoschedule_gpu
