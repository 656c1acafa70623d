// Padded rows: what there is to choose, and what comes of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scheduler/features/feature_extractor.h"
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

// Turned over twice, the first time in the block: a column of it is a row of the output.
const std::string kTurned =
    "kernel out\n  mid threads x=32 y=8\n    mid serial y=4\n"
    "  out threads x=32 y=8\n    out serial y=4\n";

struct Padded {
    std::vector<std::string> directives;  // about how `mid` lies in memory
    FeatureTable features;
};

Padded padded(const Search &search, DecisionList list, const char *value) {
    decision(list, "mid", "padding").value = std::string(value);
    const Result<Followed> result = followed(search, list);
    if (!result) {
        ADD_FAILURE() << result.error().message;
        return {};
    }
    const auto &[dag, state] = *result;
    EXPECT_EQ(check(*dag, state.nest, Completeness::complete), std::vector<std::string>{});
    Padded found;
    for (const Directive &directive : directives(*dag, state.nest)) {
        if (directive.op == DirectiveOp::align_storage) {
            found.directives.push_back(describe(directive));
        }
    }
    found.features = FeatureExtractor(*dag, search.gpu).extract(*state.nest.kernels[0]);
    return found;
}

TEST(Padding, IsOfFuncsInBlocksAndOffByItself) {
    const Search search(example::there_and_back(512, 256));
    DecisionList list = list_of(search, kTurned);
    const Coordinate &padding = decision(list, "mid", "padding");
    EXPECT_EQ(padding.value, DecisionValue("off"));
    EXPECT_EQ(padding.choices, (std::vector<DecisionValue>{"off", "on"}));
    EXPECT_EQ(std::ranges::count(list.decisions, "padding", &Coordinate::kind), 1);
}

TEST(Padding, AlignsTheRowsToTheirNewLength) {
    const Search search(example::there_and_back(512, 256));
    const DecisionList list = list_of(search, kTurned);
    EXPECT_EQ(padded(search, list, "off").directives, std::vector<std::string>{});
    EXPECT_EQ(padded(search, list, "on").directives,
              std::vector<std::string>{"mid.align_storage(x, 33)"});
}

// Eight warps read columns of 32 words: in one bank, each pass the four neighbours that one lane
// loads at once; in 32 banks, a pass for each of the four.
TEST(Padding, LetsAllLanesOfAColumnReadAtOnce) {
    const Search search(example::there_and_back(512, 256));
    const DecisionList list = list_of(search, kTurned);
    const FeatureTable off = padded(search, list, "off").features;
    const FeatureTable on = padded(search, list, "on").features;
    const StageFeatures &before = off.stages.back(), &after = on.stages.back();
    EXPECT_EQ(before.num_shared_mem_loads_per_block, 8 * 32);
    EXPECT_EQ(after.num_shared_mem_loads_per_block, 8 * 4);
    EXPECT_EQ(off.stages.front().num_shared_mem_stores_per_block,
              on.stages.front().num_shared_mem_stores_per_block)
        << "along rows";
    EXPECT_EQ(off.kernel.shared_bytes_per_block, 32 * 32 * 4);
    EXPECT_EQ(on.kernel.shared_bytes_per_block, 33 * 32 * 4);
}

TEST(Padding, ComesBackFromItsOwnList) {
    const Search search(example::there_and_back(512, 256));
    DecisionList list = list_of(search, kTurned);
    decision(list, "mid", "padding").value = std::string("on");
    const Result<Followed> result = followed(search, list);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_NE(to_text(*result->dag, result->state.nest).find("mid threads x=32 y=8 row 33\n"),
              std::string::npos);
    DecisionList again = list_of(search, *result->dag, result->state);
    EXPECT_EQ(decision(again, "mid", "padding").value, DecisionValue("on"));
    EXPECT_EQ(decision(again, "mid", "padding").choices, (std::vector<DecisionValue>{"off", "on"}));
}

TEST(Padding, MustBeOnOrOff) {
    const Search search(example::there_and_back(512, 256));
    DecisionList list = list_of(search, kTurned);
    Coordinate &padding = decision(list, "mid", "padding");
    padding.value = int64_t{33};
    EXPECT_NE(error_of(search, list).find("expected off or on"), std::string::npos);
    padding.value = std::string("some");
    EXPECT_NE(error_of(search, list).find("expected off or on"), std::string::npos);
}

// 128 rows of 96 words are all the memory that there is.
TEST(Padding, IsRefusedWhereTheBlockHasNoRoomForIt) {
    const Search search(example::there_and_back(1536, 960));
    DecisionList list = list_of(search,
                                "kernel out\n  mid threads x=96 y=8\n    mid serial y=16\n"
                                "  out threads x=128 y=8\n    out serial y=12\n");
    const auto is_padding = [](const Coordinate &one) { return one.kind == "padding"; };
    EXPECT_TRUE(std::ranges::none_of(list.decisions, is_padding)) << "nothing to choose";
    list.decisions.push_back({"mid", "padding", std::string("on"), {}});
    EXPECT_NE(error_of(search, list).find("the rule hardware_shared rejects it: 49,664 bytes"),
              std::string::npos)
        << error_of(search, list);
}

}  // namespace
}  // namespace autoschedule_gpu
