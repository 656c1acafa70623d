// Extents that are remembered are those that are found anew, whatever was asked before.
#include "scheduler/space/site_extents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using example::find_func;
using example::parsed;

// A sum over windows of `f`, of a size that no output gives it.
Dag update_of_windows() {
    using example::at;
    example::DagBuilder b;
    const FuncId f = b.func("f", {"x", "y"}), sum = b.func("sum", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 99}, {"y", 0, 63}});
    const StageId update =
        b.update(sum, {b.over(0, "x"), b.over(1, "y"), b.reduction("k", 0, 15)}, {at(0), at(1)});
    b.reads(update, sum, {at(0), at(1)}).reads(update, f, {example::sum(0, 2), at(1)});
    b.reads(out, sum, {at(0), at(1)}, 2);
    return b.build();
}

Nest with_f_in_threads(const Dag &dag, const std::string &threads, const std::string &points) {
    return parsed(dag, "kernel sum.update(0)\n  sum.update(0) threads " + threads +
                           "\n    f serial\n    sum.update(0) serial " + points +
                           "\nkernel sum\n  sum threads x=32\nkernel out\n  out threads x=32\n");
}

TEST(SiteExtents, OfThreadsDependOnNoEarlierQuestion) {
    const Dag dag = update_of_windows();
    const FuncId f = find_func(dag, "f");
    std::vector<Nest> nests;
    for (const std::string threads : {"x=32", "y=32", "x=8 y=4"}) {
        for (const std::string points : {"x=2", "y=2", "x=2 y=2", "x=1"}) {
            nests.push_back(with_f_in_threads(dag, threads, points));
        }
    }
    for (int order = 0; order < 2; ++order) {
        SiteExtents extents(dag, true);
        for (int time = 0; time < 2; ++time) {
            for (const Nest &nest : nests) {
                const Kernel &kernel = *nest.kernels[0];
                const Band &threads = *kernel.blocks->body[0];
                const ConstantExtents anew = extents_in_thread(dag, kernel, threads, f);
                const SiteExtents::Answer answer = extents.in_thread(kernel, threads, f);
                ASSERT_EQ(answer->known == SiteExtents::Known::constant, anew.has_value());
                if (anew) {
                    EXPECT_EQ(answer->points, *anew);
                }
            }
        }
        std::ranges::reverse(nests);
    }
}

}  // namespace
}  // namespace autoschedule_gpu
