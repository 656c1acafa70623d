// In which launch a stage is computed: what there is to choose, and what comes of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scheduler/nest/check.h"
#include "scheduler/nest/launch.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "unit/scheduler/decisions/lists.h"

namespace autoschedule_gpu {
namespace {

using example::decision;
using example::error_of;
using example::followed;
using example::list_of;
using example::Search;

const std::string kNest =
    "kernel out\n  out threads x=32 y=8\n"
    "kernel dx\n  dx threads x=32 y=8\nkernel dy\n  dy threads x=32 y=8\n    dy serial y=2\n";

std::vector<std::string> shared_loops(const Dag &dag, const Nest &nest) {
    std::vector<std::string> found;
    for (const Directive &directive : directives(dag, nest)) {
        if (directive.op == DirectiveOp::compute_with) found.push_back(describe(directive, "dx"));
    }
    return found;
}

TEST(ComputeWith, IsWithAnEarlierStageOrAlone) {
    const Search search(example::siblings(512, 256));
    DecisionList list = list_of(search, kNest);
    const Coordinate &with = decision(list, "dy", "compute_with");
    EXPECT_EQ(with.value, DecisionValue("dy"));
    EXPECT_EQ(with.choices, (std::vector<DecisionValue>{"dx", "dy"}));
    EXPECT_EQ(std::ranges::count(list.decisions, "compute_with", &Coordinate::kind), 1)
        << "dx is the first, and the output is alone";
}

TEST(ComputeWith, ComesBackFromItsOwnList) {
    const Search search(example::siblings(512, 256));
    DecisionList list = list_of(search, kNest);
    decision(list, "dy", "compute_with").value = std::string("dx");
    const Result<Followed> result = followed(search, list);
    ASSERT_TRUE(result) << result.error().message;
    const auto &[dag, state] = *result;
    EXPECT_EQ(check(*dag, state.nest, Completeness::complete), std::vector<std::string>{});
    EXPECT_EQ(shared_loops(*dag, state.nest),
              std::vector<std::string>{"dy.compute_with(dx, blocks)"});
    EXPECT_EQ(state.id, state.nest.hash());
    DecisionList again = list_of(search, *dag, state);
    EXPECT_EQ(decision(again, "dy", "compute_with").value, DecisionValue("dx"));
    EXPECT_EQ(decision(again, "dy", "compute_with").choices,
              (std::vector<DecisionValue>{"dx", "dy"}));
    EXPECT_EQ(followed(search, again)->state.id, state.id);
}

TEST(ComputeWith, IsNotLookedAtWhereAFuncIsNotAtRoot) {
    const Search search(example::siblings(512, 256));
    DecisionList list = list_of(search, kNest);
    decision(list, "dy", "compute_with").value = std::string("dx");
    decision(list, "dx", "place").value = std::string("inline");
    const Result<Followed> result = followed(search, list);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_FALSE(shares_launches(result->state.nest));
}

TEST(ComputeWith, IsRefusedWithTheReason) {
    const Search search(example::siblings(512, 256));
    const DecisionList list = list_of(search, kNest);
    const auto error_with = [&](const char *stage) {
        DecisionList other = list;
        decision(other, "dy", "compute_with").value = std::string(stage);
        return error_of(search, other);
    };
    EXPECT_NE(error_with("dz").find("the pipeline has no such stage"), std::string::npos);
    EXPECT_NE(error_with("out").find("a launch is that of its first stage"), std::string::npos);
    EXPECT_EQ(error_with("dx"), "accepted");
}

// Either alone has the threads that a device allows.
TEST(ComputeWith, IsRefusedOfBlocksThatAreTooLargeTogether) {
    const Search search(example::siblings(512, 256));
    DecisionList list = list_of(search,
                                "kernel out\n  out threads x=32 y=8\n"
                                "kernel dx\n  dx threads x=256 y=2\n"
                                "kernel dy\n  dy threads x=16 y=32\n");
    EXPECT_EQ(std::ranges::count(list.decisions, "compute_with", &Coordinate::kind), 0);
    list.decisions.push_back({"dy", "compute_with", std::string("dx"), {}});
    EXPECT_NE(
        error_of(search, list).find("they have 8192 threads per block, and the device allows 1024"),
        std::string::npos);
}

TEST(ComputeWith, IsRefusedOfWhatDependsOnTheOther) {
    const Search search(example::stencil_chain(3, 512, 256));
    DecisionList list = list_of(search,
                                "kernel f2\n  f2 threads x=32 y=8\n"
                                "kernel f1\n  f1 threads x=32 y=8\n"
                                "kernel f0\n  f0 threads x=32 y=8\n");
    EXPECT_EQ(std::ranges::count(list.decisions, "compute_with", &Coordinate::kind), 0);
    list.decisions.push_back({"f1", "compute_with", std::string("f0"), {}});
    EXPECT_NE(error_of(search, list).find("would wait for what is computed in its own launch"),
              std::string::npos);
}

}  // namespace
}  // namespace autoschedule_gpu
