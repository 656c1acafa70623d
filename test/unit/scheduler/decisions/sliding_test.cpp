// Blocks that walk: what there is to choose, and what comes of it.
#include "scheduler/nest/sliding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scheduler/nest/check.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "unit/scheduler/decisions/lists.h"

namespace autoschedule_gpu {
namespace {

using example::decision;
using example::error_of;
using example::followed;
using example::list_of;
using example::Search;

const std::string kInBlock =
    "inline: first\nkernel out\n  second threads x=64\n    second serial y=8\n"
    "  out threads x=64\n    out serial y=4\n";

TEST(Sliding, IsOfKernelsWithSomethingInTheirBlocks) {
    const Search search(example::filters_along_columns(512, 256));
    DecisionList list = list_of(search, kInBlock);
    const Coordinate &sliding = decision(list, "out.y", "sliding");
    EXPECT_EQ(sliding.value, DecisionValue(int64_t{1}));
    EXPECT_EQ(sliding.choices, (std::vector<DecisionValue>{int64_t{1}, int64_t{4}, int64_t{8},
                                                           int64_t{16}, int64_t{32}}));
    EXPECT_EQ(std::ranges::count(list.decisions, "sliding", &Coordinate::kind), 1);
    const DecisionList alone =
        list_of(search, "inline: first second\nkernel out\n  out threads x=64\n");
    EXPECT_EQ(std::ranges::count(alone.decisions, "sliding", &Coordinate::kind), 0);
}

TEST(Sliding, StoresOutsideTheWalkWhatIsComputedInIt) {
    const Search search(example::filters_along_columns(512, 256));
    DecisionList list = list_of(search, kInBlock);
    decision(list, "out.y", "sliding").value = int64_t{8};
    decision(list, "second", "member_tile").value = std::string("split");
    const Result<Followed> result = followed(search, list);
    ASSERT_TRUE(result) << result.error().message;
    const auto &[dag, state] = *result;
    EXPECT_EQ(check(*dag, state.nest, Completeness::complete), std::vector<std::string>{});
    EXPECT_EQ(walk_of(state.nest.kernels[0]->tiling), 8);
    std::vector<std::string> sites;
    for (const Directive &directive : directives(*dag, state.nest)) {
        const bool places =
            directive.op == DirectiveOp::store_at || directive.op == DirectiveOp::compute_at;
        if (places) sites.push_back(describe(directive, "out"));
    }
    EXPECT_EQ(sites, (std::vector<std::string>{"second.store_at(out, x_b)",
                                               "second.compute_at(out, y_w)"}));
}

TEST(Sliding, ComesBackFromItsOwnList) {
    const Search search(example::filters_along_columns(512, 256));
    DecisionList list = list_of(search, kInBlock);
    decision(list, "out.y", "sliding").value = int64_t{8};
    decision(list, "second", "member_tile").value = std::string("split");
    const Result<Followed> result = followed(search, list);
    ASSERT_TRUE(result) << result.error().message;
    DecisionList again = list_of(search, *result->dag, result->state);
    EXPECT_EQ(decision(again, "out.y", "sliding").value, DecisionValue(int64_t{8}));
    const Result<Followed> twice = followed(search, again);
    ASSERT_TRUE(twice) << twice.error().message;
    EXPECT_EQ(twice->state.id, result->state.id);
}

TEST(Sliding, IsRefusedBeyondTheEndOfItsLoop) {
    const Search search(example::filters_along_columns(512, 256));
    DecisionList list = list_of(search, kInBlock);
    decision(list, "out.y", "sliding").value = int64_t{128};
    EXPECT_NE(error_of(search, list).find("the loop's tile has 512 points, but the loop 256"),
              std::string::npos)
        << error_of(search, list);
}

}  // namespace
}  // namespace autoschedule_gpu
