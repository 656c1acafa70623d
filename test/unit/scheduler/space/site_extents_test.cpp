// Extents that are remembered are those that are found anew, whatever was asked before.
#include "scheduler/space/site_extents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "unit/scheduler/nest/windows_in_threads.h"

namespace autoschedule_gpu {
namespace {

TEST(SiteExtents, OfThreadsDependOnNoEarlierQuestion) {
    const Dag dag = example::sum_over_windows();
    const FuncId f = example::find_func(dag, "f");
    std::vector<Nest> nests;
    for (const std::string threads : {"x=32", "y=32", "x=8 y=4"}) {
        for (const std::string points : {"x=2", "y=2", "x=2 y=2", "x=1"}) {
            nests.push_back(example::windows_in_threads(dag, threads, points));
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
