// Unrolling as a decision: what there is to choose, and what comes of each choice.
#include <gtest/gtest.h>

#include <set>
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

using Texts = std::vector<std::string>;

// Two stencils, two rows of points in each thread.
const std::string kStencils =
    "kernel f1 blocks x=16 y=16\n"
    "  f0 threads x=34 y=9\n"
    "    f0 serial y=2\n"
    "  f1 threads x=32 y=8\n"
    "    f1 serial y=2\n";

// A product whose sums are so short that they are unrolled as well.
const std::string kProduct =
    "kernel out blocks x=1 y=1\n"
    "  out threads x=8 y=8\n"
    "    out serial\n"
    "kernel out.update(0) blocks x=1 y=1\n"
    "  out.update(0) threads x=4 y=4\n"
    "    out.update(0) serial x=2 y=2 k=8\n";

// What a list leads to with that one decision, or as it is.
struct Outcome {
    std::string nest;
    Texts unrolled;  // directives
    FeatureTable features;
    uint64_t hash = 0;  // of the kernel; likewise the features
};

Outcome outcome(const Search &search, const DecisionList &list, size_t kernel) {
    const Result<Followed> result = followed(search, list);
    if (!result) {
        ADD_FAILURE() << result.error().message;
        return {};
    }
    const auto &[dag, state] = *result;
    EXPECT_EQ(check(*dag, state.nest, Completeness::complete), Texts{});
    EXPECT_EQ(state.id, state.nest.hash());
    Outcome outcome;
    outcome.nest = to_text(*dag, state.nest);
    for (const Directive &directive : directives(*dag, state.nest)) {
        if (directive.op == DirectiveOp::unroll) outcome.unrolled.push_back(describe(directive));
    }
    outcome.features = FeatureExtractor(*dag, search.gpu).extract(*state.nest.kernels[kernel]);
    outcome.hash = state.nest.kernels[kernel]->hash;
    return outcome;
}

Outcome outcome(const Search &search, DecisionList list, const std::string &stage,
                const std::string &unroll, size_t kernel) {
    decision(list, stage, "unroll").value = unroll;
    return outcome(search, list, kernel);
}

Texts choices(DecisionList list, const std::string &stage) {
    Texts texts;
    for (const DecisionValue &value : decision(list, stage, "unroll").choices) {
        texts.push_back(std::get<std::string>(value));
    }
    return texts;
}

// Stages of which it is decided.
Texts decided(const DecisionList &list) {
    Texts names;
    for (const Coordinate &one : list.decisions) {
        if (one.kind == "unroll") names.push_back(one.name);
    }
    return names;
}

TEST(Unrolling, OfAStencilIsThatOfItsTileOrNone) {
    const Search search(example::two_stencils(512, 256));
    const DecisionList list = list_of(search, kStencils);
    EXPECT_EQ(decided(list), (Texts{"f1", "f0"}));
    EXPECT_EQ(choices(list, "f1"), (Texts{"none", "all"}));

    const Outcome all = outcome(search, list, 0);
    EXPECT_EQ(all.nest, "inline: f0_in_f1\n" + kStencils);
    EXPECT_EQ(all.unrolled, (Texts{"f0.full_tiles.unroll(y_s)", "f1.full_tiles.unroll(y_s)"}));
    EXPECT_EQ(all.features.stages[1].unrolled_points, 2);
    EXPECT_EQ(all.features.stages[1].serial_iterations, 1);
    EXPECT_EQ(all.features.stages[1].shared_loads_per_thread, 3 * 4);

    const Outcome none = outcome(search, list, "f1", "none", 0);
    EXPECT_EQ(none.nest,
              "inline: f0_in_f1\n"
              "kernel f1 blocks x=16 y=16\n"
              "  f0 threads x=34 y=9\n"
              "    f0 serial y=2\n"
              "  f1 threads x=32 y=8\n"
              "    f1 serial y=2 unroll none\n");
    EXPECT_EQ(none.unrolled, Texts{"f0.full_tiles.unroll(y_s)"});
    EXPECT_EQ(none.features.stages[1].unrolled_points, 1);
    EXPECT_EQ(none.features.stages[1].serial_iterations, 2);
    EXPECT_EQ(none.features.stages[1].shared_loads_per_thread, 2 * 3 * 3);
    EXPECT_NE(none.hash, all.hash);
}

TEST(Unrolling, OfAShortProductIsThatOfItsTileOrOfItsSumsAsWell) {
    const Search search(example::matmul_output(8));
    const DecisionList list = list_of(search, kProduct);
    const std::string update = "out.update(0)";
    EXPECT_EQ(decided(list), Texts{update});
    EXPECT_EQ(choices(list, update), (Texts{"none", "tile", "all"}));
    const struct {
        std::string unroll;
        Texts unrolled;
        double points, passes, stores, width;
    } cases[] = {
        {"none", {}, 1, 2 * 2 * 8, 2 * 2 * 8, 1},
        {"tile",
         {"out.update(0).full_tiles.unroll(x_s0)", "out.update(0).full_tiles.unroll(y_s0)"},
         4,
         8,
         4 * 8,
         2},
        {"all",
         {"out.update(0).full_tiles.unroll(x_s0)", "out.update(0).full_tiles.unroll(y_s0)",
          "out.update(0).full_tiles.unroll(k)"},
         4 * 8,
         1,
         4,
         2},
    };
    std::set<uint64_t> hashes;
    for (const auto &c : cases) {
        const Outcome found = outcome(search, list, update, c.unroll, 1);
        const std::string ending = c.unroll == "all" ? "k=8\n" : "k=8 unroll " + c.unroll + "\n";
        EXPECT_TRUE(found.nest.ends_with("serial x=2 y=2 " + ending)) << found.nest;
        EXPECT_EQ(found.unrolled, c.unrolled) << c.unroll;
        const StageFeatures &features = found.features.stages[0];
        EXPECT_EQ(features.unrolled_points, c.points) << c.unroll;
        EXPECT_EQ(features.serial_iterations, c.passes) << c.unroll;
        EXPECT_EQ(features.points_computed_per_thread, 4 * 8) << c.unroll;
        EXPECT_EQ(features.global_stores_per_thread, c.stores) << c.unroll;
        EXPECT_EQ(features.vector_width, c.width) << c.unroll;
        hashes.insert(found.hash);
    }
    EXPECT_EQ(hashes.size(), 3u);
}

// They are in registers only if every loop that indexes them is unrolled.
TEST(Unrolling, IsNoChoiceWhereArraysWouldLeaveRegisters) {
    const Search stencils(example::two_stencils(512, 256));
    const std::string in_threads =
        "kernel f1 blocks x=16 y=16\n"
        "  f1 threads x=32 y=8\n"
        "    f0 serial x=3 y=4\n"
        "    f1 serial y=2";
    EXPECT_EQ(decided(list_of(stencils, in_threads + "\n")), Texts{});
    // The way back is one, and the array is where it is.
    const DecisionList slow = list_of(stencils, in_threads + " unroll none\n");
    EXPECT_EQ(decided(slow), (Texts{"f1", "f0"}));
    EXPECT_EQ(choices(slow, "f1"), (Texts{"none", "all"}));

    // The loop of the sums indexes no array.
    const Search sums(example::reduced_stencil(512, 256));
    const DecisionList list = list_of(sums,
                                      "kernel out blocks x=16 y=32\n"
                                      "  out threads x=32 y=8\n"
                                      "    total serial x=3\n"
                                      "    total.update(0) serial r=3 x=3\n"
                                      "    out serial\n");
    EXPECT_EQ(decided(list), Texts{"total.update(0)"});
    EXPECT_EQ(choices(list, "total.update(0)"), (Texts{"tile", "all"}));
}

TEST(Unrolling, ComesBackAsItWasDecided) {
    const Search search(example::matmul_output(8));
    const std::string update = "out.update(0)";
    for (const char *unroll : {"none", "tile", "all"}) {
        DecisionList list = list_of(search, kProduct);
        decision(list, update, "unroll").value = unroll;
        const Result<Followed> result = followed(search, list);
        ASSERT_TRUE(result.ok()) << result.error().message;
        DecisionList again = list_of(search, *result->dag, result->state);
        EXPECT_EQ(decision(again, update, "unroll").value, DecisionValue(std::string(unroll)));
        const Result<Followed> followed_again = followed(search, again);
        ASSERT_TRUE(followed_again.ok()) << followed_again.error().message;
        EXPECT_EQ(followed_again->state.id, result->state.id);
        const Result<DecisionList> read = parse_decisions(to_json(again), stage_kinds());
        ASSERT_TRUE(read.ok()) << read.error().message;
        EXPECT_EQ(*read, again);
    }
}

TEST(Unrolling, IsThatOfAllWhereItIsNotDecided) {
    const Search search(example::matmul_output(8));
    DecisionList list = list_of(search, kProduct);
    const Outcome all = outcome(search, list, 1);
    std::erase_if(list.decisions, [](const Coordinate &one) { return one.kind == "unroll"; });
    const Outcome silent = outcome(search, list, 1);
    EXPECT_EQ(silent.nest, all.nest);
    EXPECT_EQ(silent.hash, all.hash);
}

// Schedules of the same code are the same.
TEST(Unrolling, ThatMakesNoDifferenceIsThatOfAll) {
    const Search search(example::two_stencils(512, 256));
    const DecisionList list = list_of(search, kStencils);
    EXPECT_EQ(outcome(search, list, "f1", "tile", 0).hash, outcome(search, list, 0).hash);
    DecisionList inlined = list;
    decision(inlined, "f0", "unroll").value = "none";
    decision(inlined, "f0", decision_kind::place).value = "inline";
    EXPECT_EQ(outcome(search, inlined, 0).unrolled, Texts{"f1.full_tiles.unroll(y_s)"});
}

TEST(Unrolling, BearsOtherTiles) {
    const Search search(example::two_stencils(512, 256));
    DecisionList list = list_of(search, kStencils);
    decision(list, "f1", "unroll").value = "none";
    decision(list, "f1.y", decision_kind::serial).value = 4;
    const Outcome found = outcome(search, list, 0);
    EXPECT_TRUE(found.nest.ends_with("    f1 serial y=4 unroll none\n")) << found.nest;
}

TEST(Unrolling, OfAnotherNameOrOfNoStageIsRefused) {
    const Search search(example::two_stencils(512, 256));
    DecisionList list = list_of(search, kStencils);
    DecisionList loop = list;
    loop.decisions.push_back({"f1.y", "unroll", "none", {}});
    EXPECT_EQ(error_of(search, loop), "decision " + std::to_string(loop.decisions.size()) +
                                          ", unroll of \"f1.y\", \"none\": the pipeline has "
                                          "nothing of that name to decide");
    Coordinate &unroll = decision(list, "f1", "unroll");
    unroll.value = "half";
    const auto number = &unroll - list.decisions.data() + 1;
    EXPECT_EQ(error_of(search, list),
              "decision " + std::to_string(number) +
                  ", unroll of \"f1\", \"half\": expected none, tile or all");
}

}  // namespace
}  // namespace autoschedule_gpu
