// A sum over windows of `f`, of a size that no output gives it, and nests with `f` in the threads
// of its kernel.
#pragma once

#include <string>

#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu::example {

inline Dag sum_over_windows() {
    DagBuilder b;
    const FuncId f = b.func("f", {"x", "y"}), sums = b.func("sum", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 99}, {"y", 0, 63}});
    const StageId update =
        b.update(sums, {b.over(0, "x"), b.over(1, "y"), b.reduction("k", 0, 15)}, {at(0), at(1)});
    b.reads(update, sums, {at(0), at(1)}).reads(update, f, {sum(0, 2), at(1)});
    b.reads(out, sums, {at(0), at(1)}, 2);
    return b.build();
}

// The kernel of the update is the first.
inline Nest windows_in_threads(const Dag &dag, const std::string &threads,
                               const std::string &points) {
    return parsed(dag, "kernel sum.update(0)\n  sum.update(0) threads " + threads +
                           "\n    f serial\n    sum.update(0) serial " + points +
                           "\nkernel sum\n  sum threads x=32\nkernel out\n  out threads x=32\n");
}

}  // namespace autoschedule_gpu::example
