// Steps of a reduction loop that are written out: what there is to choose, and what comes of it.
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

using Texts = std::vector<std::string>;

// A scan along x, of which each thread has a line.
const std::string kScanOfLines =
    "kernel out blocks x=32 y=64\n"
    "  out threads x=32 y=8\n"
    "    out serial\n"
    "kernel scan blocks x=32 y=64\n"
    "  scan threads x=32 y=8\n"
    "    scan serial\n"
    "kernel scan.update(0) blocks y=16\n"
    "  scan.update(0) threads y=32\n"
    "    scan.update(0) serial r=1023\n";

struct Stepped {
    Texts steps;  // directives of the update about its loop
    StageFeatures features;
    std::string nest;
};

Stepped stepped(const Search &search, DecisionList list, int64_t steps) {
    decision(list, "scan.update(0)", "steps").value = steps;
    const Result<Followed> result = followed(search, list);
    if (!result) {
        ADD_FAILURE() << result.error().message;
        return {};
    }
    const auto &[dag, state] = *result;
    EXPECT_EQ(check(*dag, state.nest, Completeness::complete), Texts{});
    Stepped found;
    found.nest = to_text(*dag, state.nest);
    for (const Directive &directive : directives(*dag, state.nest)) {
        const std::string text = describe(directive);
        if (text.starts_with("scan.update(0)") && text.find("r_u0") != std::string::npos) {
            found.steps.push_back(text);
        }
    }
    FeatureExtractor extractor(*dag, search.gpu);
    const auto updates = std::ranges::find_if(state.nest.kernels, [&](const KernelPtr &kernel) {
        return dag->stage(kernel->stage).index == 1;
    });
    found.features = extractor.extract(**updates).stages.back();
    return found;
}

TEST(Steps, AreAPowerOfTwoUpToTheLimitOfCode) {
    const Search search(example::iir(1024, 512));
    DecisionList list = list_of(search, kScanOfLines);
    const Coordinate &steps = decision(list, "scan.update(0)", "steps");
    EXPECT_EQ(steps.value, DecisionValue(int64_t{1}));
    const std::vector<DecisionValue> choices = {int64_t{1}, int64_t{2},  int64_t{4},
                                                int64_t{8}, int64_t{16}, int64_t{32}};
    EXPECT_EQ(steps.choices, choices);
    EXPECT_EQ(std::ranges::count(list.decisions, "steps", &Coordinate::kind), 1);
}

TEST(Steps, SplitTheLoopAndUnrollTheInnerOne) {
    const Search search(example::iir(1024, 512));
    const DecisionList list = list_of(search, kScanOfLines);
    EXPECT_EQ(stepped(search, list, 1).steps, Texts{});
    EXPECT_EQ(
        stepped(search, list, 8).steps,
        (Texts{"scan.update(0).split(r, r_o0, r_u0, 8, TailStrategy::GuardWithIf)",
               "scan.update(0).reorder(r_u0, r_o0, y_t0, y_b0)", "scan.update(0).unroll(r_u0)"}));
}

// A pass of eight steps reads eight elements of what is scanned, and of the scan itself the one
// before them: the others it has just made.
TEST(Steps, LoadWhatIsScannedOnceAPass) {
    const Search search(example::iir(1024, 512));
    const DecisionList list = list_of(search, kScanOfLines);
    const StageFeatures one = stepped(search, list, 1).features;
    const StageFeatures eight = stepped(search, list, 8).features;
    EXPECT_DOUBLE_EQ(one.serial_iterations, 1023);
    EXPECT_DOUBLE_EQ(eight.serial_iterations, 1023 / 8.0);
    EXPECT_EQ(eight.unrolled_points, 8);
    EXPECT_EQ(eight.points_computed_per_thread, one.points_computed_per_thread);
    EXPECT_EQ(eight.global_stores_per_thread, one.global_stores_per_thread);
    EXPECT_LT(eight.global_loads_per_thread, one.global_loads_per_thread);
}

TEST(Steps, ComeBackFromTheirOwnList) {
    const Search search(example::iir(1024, 512));
    DecisionList list = list_of(search, kScanOfLines);
    decision(list, "scan.update(0)", "steps").value = int64_t{4};
    const Result<Followed> result = followed(search, list);
    ASSERT_TRUE(result) << result.error().message;
    DecisionList again = list_of(search, *result->dag, result->state);
    EXPECT_EQ(decision(again, "scan.update(0)", "steps").value, DecisionValue(int64_t{4}));
    EXPECT_NE(stepped(search, list, 4).nest.find("r=1023 steps 4\n"), std::string::npos);
}

TEST(Steps, MustBeANumberFromOne) {
    const Search search(example::iir(1024, 512));
    DecisionList list = list_of(search, kScanOfLines);
    Coordinate &steps = decision(list, "scan.update(0)", "steps");
    steps.value = std::string("many");
    EXPECT_NE(error_of(search, list), "accepted");
    steps.value = int64_t{0};
    EXPECT_NE(error_of(search, list), "accepted");
    steps.value = int64_t{100};
    EXPECT_EQ(error_of(search, list), "accepted") << "as many as are possible";
}

// The copies that hold vectors of steps are numbered behind what the schedule makes, whatever else
// could have been staged.
TEST(StepVectors, LeaveAListOfDecisions) {
    const Search search(example::matmul_of_copies_beside_a_stencil(512));
    const std::string nest =
        "inline: left right\n"
        "kernel blurred blocks x=16 y=64\n  blurred threads x=32 y=8\n    blurred serial\n"
        "kernel mid blocks x=17 y=64\n  mid threads x=32 y=8\n    mid serial\n"
        "kernel out\n"
        "  out threads x=16 y=8\n"
        "    prod serial x=4 y=4\n"
        "    prod.update(0) serial x=4 y=4 k=512\n"
        "    out serial x=4 y=4\n";
    const Result<Nest> parsed = parse_nest(search.dag, nest);
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    const State state = search.space.adopt(*parsed);
    const auto is_copy = [](const Directive &one) { return one.func_name == "left_in_prod"; };
    ASSERT_TRUE(std::ranges::any_of(directives(search.dag, state.nest), is_copy));
    const DecisionList list = list_of(search, state);
    const Result<Followed> back = followed(search, list);
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(directives(*back->dag, back->state.nest), directives(search.dag, state.nest));
}

}  // namespace
}  // namespace autoschedule_gpu
