#include "scheduler/search/improve_members.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "scheduler/nest/text.h"
#include "scheduler/search/improve_tilings.h"
#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::OwnParts;
using example::Search;

// What a short search finds, and how it tiles is improved.
State found_quickly(Search &search) {
    search.options.refine = false;
    search.options.limits.beam_size = 2;
    search.options.limits.num_passes = 1;
    OwnParts own(search);
    return improve_tilings(own.parts, search.run().best[0]);
}

TEST(ImproveMembers, GoesOnWhereNoTilingOfAKernelAloneIsBetter) {
    int better = 0;
    for (example::NamedDag &e : example::all()) {
        if (e.name != "two_stencils" && e.name != "diamond") continue;
        Search search(std::move(e.dag));
        const State before = found_quickly(search);
        OwnParts own(search);
        EXPECT_EQ(improve_tilings(own.parts, before).cost, before.cost) << e.name;
        const State after = improve_members(own.parts, before);
        EXPECT_LT(after.cost, 0.95 * before.cost) << to_text(search.dag, after.nest);
        ++better;
    }
    EXPECT_EQ(better, 2) << "the examples have other names";
}

TEST(ImproveMembers, NeverCostsMoreAndKeepsWhatIsComputedWhere) {
    for (example::NamedDag &e : example::all()) {
        Search search(std::move(e.dag));
        const State before = found_quickly(search);
        OwnParts own(search);
        const State after = improve_members(own.parts, before);
        EXPECT_LE(after.cost, before.cost) << e.name;
        EXPECT_EQ(after.nest.places, before.nest.places) << e.name;
        EXPECT_EQ(after.id, after.nest.hash()) << e.name;
        EXPECT_EQ(check(search.dag, after.nest, Completeness::complete), std::vector<std::string>{})
            << e.name;
    }
}

TEST(ImproveMembers, StopsWhenTheTimeIsUp) {
    Search search(example::stencil_chain(3, 1536, 1024));
    const State before = found_quickly(search);
    search.options.limits.time_limit_s = 0;
    OwnParts own(search);
    EXPECT_EQ(improve_members(own.parts, before).id, before.id);
}

}  // namespace
}  // namespace autoschedule_gpu
