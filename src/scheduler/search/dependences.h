// Which Funcs have to be computed before which, where some are computed together, as those that
// share a launch are (scheduler/nest/launch.h): whatever one of them reads comes before all of
// them, and whatever reads one of them after.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/dag/dag.h"

namespace autoschedule_gpu {

class Dependences {
public:
    // Each Func by itself.
    explicit Dependences(const Dag &dag);

    // Whether the Funcs can't be computed together: one comes before the other, directly or not, or
    // they are one.
    bool depend(FuncId one, FuncId other) const;

    // They are computed together from now on, with all that is with either. Requires that they do
    // not depend on each other.
    void join(FuncId one, FuncId other);

private:
    // A set of Funcs, a bit for each.
    using Set = std::vector<uint64_t>;

    static bool contains(const Set &set, FuncId func);
    static void add(Set &set, FuncId func);
    static void add_all(Set &set, const Set &more);
    static bool meet(const Set &one, const Set &other);

    // By FuncId: what comes before it; what is computed with it, itself among that.
    std::vector<Set> before_, with_;
};

}  // namespace autoschedule_gpu
