#include "plugins/autoscheduler/known_kernels.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "scheduler/nest/launch.h"
#include "scheduler/nest/text.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu {
namespace {

// A kernel of `size` x `size` points in blocks of `threads` x 4.
std::string kernel_text(const std::string &func, int size, int threads) {
    const auto blocks = [&](int points) { return std::to_string((size + points - 1) / points); };
    return "kernel " + func + " blocks x=" + blocks(threads) + " y=" + blocks(4) + "\n  " + func +
           " threads x=" + std::to_string(threads) + " y=4\n    " + func + " serial\n";
}

class KnownKernelsTest : public ::testing::Test {
protected:
    KnownKernelsTest() : dag_(std::make_shared<const Dag>(example::stencil_chain(2, 61, 61))) {}

    CompleteState state(int threads_of_f0, int threads_of_f1) const {
        const std::string text =
            kernel_text("f1", 61, threads_of_f1) + kernel_text("f0", 63, threads_of_f0);
        CompleteState state;
        state.dag = dag_;
        Result<Nest> nest = parse_nest(*dag_, text);
        EXPECT_TRUE(nest.ok()) << nest.error().message;
        state.state.nest = *std::move(nest);
        return state;
    }

    int number(const std::string &func) const {
        return dag_->func(example::find_func(*dag_, func)).halide_index;
    }

    // A launch, of full tiles or not, that spills.
    KernelLaunch launch(const std::string &func, int64_t spills, bool at_estimates = true) const {
        KernelLaunch launch;
        launch.name = "_kernel_" + func;
        launch.func = number(func);
        launch.at_estimates = at_estimates;
        launch.spill_bytes = spills;
        return launch;
    }

    // The same, with stages so long that Halide takes seconds for them.
    Dag slow() const {
        Dag dag = *dag_;
        for (Stage &stage : dag.stages) stage.nodes = 100'000;
        return dag;
    }

    static CompleteState on(Dag dag, CompleteState state) {
        state.dag = std::make_shared<const Dag>(std::move(dag));
        return state;
    }

    // All is lowered together.
    void expect_all_unknown(const CompleteState &candidate) const {
        EXPECT_FALSE(known_.unknown(candidate).has_value());
    }

    std::shared_ptr<const Dag> dag_;
    KnownKernels known_;
};

TEST_F(KnownKernelsTest, AtFirstAllIsLoweredTogether) {
    expect_all_unknown(state(16, 16));
}

TEST_F(KnownKernelsTest, WhereHalideIsSlowAllAreLoweredApartAndTheWholeIsSketched) {
    const auto unknown = known_.unknown(on(slow(), state(16, 16)));
    ASSERT_TRUE(unknown.has_value());
    EXPECT_EQ(unknown->whole, Whole::sketched);
    ASSERT_EQ(unknown->roots.size(), 2u);
    for (const KeptRoot &root : unknown->roots) EXPECT_GT(root.seconds, 1) << root.func;
}

TEST_F(KnownKernelsTest, WhereCoordinatesAreDividedAllIsLoweredTogether) {
    Dag resampled = slow();
    resampled.stages.back().loads.front().access.at(0, 0).value = 0.5;
    EXPECT_FALSE(known_.unknown(on(std::move(resampled), state(16, 16))).has_value());
    Dag even_and_odd = slow();
    even_and_odd.stages.back().period = 2;
    EXPECT_FALSE(known_.unknown(on(std::move(even_and_odd), state(16, 16))).has_value());
    Dag data_dependent = slow();
    data_dependent.stages.back().loads.front().access.at(0, 0).known = false;
    EXPECT_FALSE(known_.unknown(on(std::move(data_dependent), state(16, 16))).has_value());
}

TEST_F(KnownKernelsTest, OnlyAKernelThatHasChangedIsUnknown) {
    known_.remember(state(16, 16), {{launch("f0", 0), launch("f1", 8)}, ""});
    const auto unknown = known_.unknown(state(32, 16));
    ASSERT_TRUE(unknown.has_value());
    EXPECT_EQ(unknown->whole, Whole::left_out);
    ASSERT_EQ(unknown->roots.size(), 1u);
    const KeptRoot &root = unknown->roots.front();
    EXPECT_EQ(root.func, number("f0"));
    const Func &f0 = dag_->func(example::find_func(*dag_, "f0"));
    ASSERT_EQ(root.dims.size(), f0.dims.size());
    EXPECT_EQ(root.dims[1].extent, f0.dims[1].estimate.extent());
    EXPECT_TRUE(known_.unknown(state(16, 16))->roots.empty());
    expect_all_unknown(state(32, 32));
}

TEST_F(KnownKernelsTest, TheWholeHasWhatWasFoundBeforeAndNow) {
    known_.remember(state(16, 16),
                    {{launch("f0", 4), launch("f0", 0, false), launch("f1", 8)}, ""});
    const auto whole = known_.whole(state(16, 32), {{launch("f1", 2)}, ""});
    ASSERT_TRUE(whole.has_value());
    ASSERT_EQ(whole->kernels.size(), 3u);
    EXPECT_EQ(whole->kernels[0].func, number("f0"));
    EXPECT_EQ(whole->kernels[0].spill_bytes, 4);
    EXPECT_FALSE(whole->kernels[1].at_estimates);
    EXPECT_EQ(whole->kernels[2].func, number("f1"));
    EXPECT_EQ(whole->kernels[2].spill_bytes, 2);
}

// A trial of the whole may tell more than one of a part did.
TEST_F(KnownKernelsTest, WhatIsFoundAnewTakesThePlaceOfWhatWasKnown) {
    known_.remember(state(16, 16), {{launch("f0", 0), launch("f1", 8)}, ""});
    known_.remember(state(16, 16), {{launch("f0", 4), launch("f1", 8)}, ""});
    EXPECT_EQ(known_.whole(state(16, 16), {})->kernels[0].spill_bytes, 4);
    known_.remember(state(16, 32), {{launch("f1", 2)}, ""});
    EXPECT_EQ(known_.whole(state(16, 32), {})->kernels[0].spill_bytes, 4) << "f0 is still known";
}

TEST_F(KnownKernelsTest, AnUnknownKernelThatDividesCoordinatesIsLoweredAmidTheOthers) {
    known_.remember(state(16, 16), {{launch("f0", 0), launch("f1", 8)}, ""});
    Dag even_and_odd = *dag_;
    even_and_odd.stages.back().period = 2;
    const auto amid = known_.unknown(on(even_and_odd, state(16, 32)));
    ASSERT_TRUE(amid.has_value());
    EXPECT_EQ(amid->whole, Whole::around);
    ASSERT_EQ(amid->roots.size(), 1u);
    EXPECT_EQ(amid->roots.front().func, number("f1"));
    const auto unknown = known_.unknown(on(even_and_odd, state(32, 16)));
    ASSERT_TRUE(unknown.has_value()) << "f0 only moves them";
    EXPECT_EQ(unknown->whole, Whole::left_out);
    ASSERT_EQ(unknown->roots.size(), 1u);
    EXPECT_EQ(unknown->roots.front().func, number("f0"));
}

TEST_F(KnownKernelsTest, WhatIsInlinedMayDivideCoordinates) {
    known_.remember(state(16, 16), {{launch("f0", 0), launch("f1", 8)}, ""});
    Dag even_and_odd = *dag_;
    even_and_odd.stages.front().period = 2;
    CompleteState inlined = state(16, 32);
    inlined.state.nest = *parse_nest(*dag_, "inline: f0\n" + kernel_text("f1", 61, 32));
    EXPECT_FALSE(known_.unknown(on(std::move(even_and_odd), std::move(inlined))).has_value());
}

TEST_F(KnownKernelsTest, ThereIsNoWholeWithoutOneOfTheKernels) {
    EXPECT_FALSE(known_.whole(state(16, 16), {{launch("f0", 0)}, ""}).has_value());
}

TEST_F(KnownKernelsTest, RemembersNothingOfATrialWithoutOneOfTheKernels) {
    known_.remember(state(16, 16), {{launch("f0", 0)}, ""});
    expect_all_unknown(state(16, 16));
}

// Halide leaves out a stage that computes nothing.
TEST_F(KnownKernelsTest, AStageWithoutAKernelIsFoundWithOthersOfItsFunc) {
    KernelLaunch update = launch("f0", 0);
    update.stage = 1;
    const TrialLowering lowered{{update, launch("f1", 8)}, ""};
    const auto whole = known_.whole(state(16, 16), lowered);
    ASSERT_TRUE(whole.has_value());
    known_.remember(state(16, 16), lowered);
    EXPECT_TRUE(known_.unknown(state(16, 16))->roots.empty());
}

TEST_F(KnownKernelsTest, RemembersNothingWhereTheCodeWasNotLookedAt) {
    known_.remember(state(16, 16), {{launch("f0", 0), launch("f1", 0)}, "no assembler"});
    expect_all_unknown(state(16, 16));
}

// A schedule has made f0 columns first, say: f1 reads it otherwise.
TEST_F(KnownKernelsTest, WhereWhatIsReadIsStoredOtherwiseAKernelIsUnknown) {
    known_.remember(state(16, 16), {{launch("f0", 0), launch("f1", 0)}, ""});
    Dag dag = *dag_;
    EXPECT_TRUE(known_.unknown(on(dag, state(16, 16)))->roots.empty());
    dag.funcs[example::find_func(dag, "f0").index()].stored_first = 1;
    expect_all_unknown(on(std::move(dag), state(16, 16)));
}

TEST_F(KnownKernelsTest, AKernelOfAWrapperHasTheNumberThatItHasNow) {
    known_.remember(state(16, 16), {{launch("f0", 0), launch("f1", 8)}, ""});
    Dag dag = *dag_;
    Func &f0 = dag.funcs[example::find_func(dag, "f0").index()];
    f0.wraps = example::find_func(dag, "in");
    known_.remember(on(dag, state(16, 16)), {{launch("f0", 4), launch("f1", 8)}, ""});
    f0.halide_index = 7;
    const auto whole = known_.whole(on(dag, state(16, 16)), {});
    ASSERT_TRUE(whole.has_value());
    EXPECT_EQ(whole->kernels.front().func, 7);
    EXPECT_EQ(whole->kernels.front().spill_bytes, 4);
}

TEST_F(KnownKernelsTest, BesideAnUnknownKernelThatSharesItsLaunchAllIsLoweredTogether) {
    known_.remember(state(16, 16), {{launch("f0", 0), launch("f1", 8)}, ""});
    CompleteState shared = state(16, 16);
    for (KernelPtr &kernel : shared.state.nest.kernels) {
        kernel = in_launch_of(kernel, shared.state.nest.kernels.front()->stage);
    }
    expect_all_unknown(shared);
    known_.remember(shared, {{launch("f1", 8)}, ""});
    EXPECT_TRUE(known_.unknown(shared)->roots.empty());
    EXPECT_EQ(known_.whole(shared, {})->kernels.size(), 1u);
}

// The launch has the name of one of the kernels.
TEST_F(KnownKernelsTest, KernelsThatShareALaunchAreLoweredAmidTheOthers) {
    const auto chain = std::make_shared<const Dag>(example::stencil_chain(3, 61, 61));
    const auto state_with = [&](int threads) {
        const std::string text = kernel_text("f2", 61, 16) + kernel_text("f1", 63, threads) +
                                 kernel_text("f0", 65, threads);
        CompleteState state;
        state.dag = chain;
        state.state.nest = *parse_nest(*chain, text);
        return state;
    };
    const auto of = [&](const std::string &func) {
        KernelLaunch launch;
        launch.func = chain->func(example::find_func(*chain, func)).halide_index;
        return launch;
    };
    known_.remember(state_with(16), {{of("f0"), of("f1"), of("f2")}, ""});
    CompleteState shared = state_with(16);
    std::vector<KernelPtr> &kernels = shared.state.nest.kernels;
    for (size_t k = 1; k < 3; ++k) kernels[k] = in_launch_of(kernels[k], kernels[1]->stage);
    const auto unknown = known_.unknown(shared);
    ASSERT_TRUE(unknown.has_value());
    EXPECT_EQ(unknown->whole, Whole::around);
    EXPECT_EQ(unknown->roots.size(), 2u);
    EXPECT_TRUE(known_.whole(shared, {{of("f1")}, ""}).has_value());
    EXPECT_FALSE(known_.whole(shared, {}).has_value());
}

TEST_F(KnownKernelsTest, BesideKernelsOfUsersOwnAllIsLoweredTogether) {
    Dag dag = *dag_;
    dag.funcs[example::find_func(dag, "f0").index()].ours = Func::Ours::nothing;
    CompleteState candidate = state(16, 16);
    candidate.dag = std::make_shared<const Dag>(std::move(dag));
    known_.remember(candidate, {{launch("f0", 0), launch("f1", 0)}, ""});
    EXPECT_FALSE(known_.unknown(candidate).has_value());
}

}  // namespace
}  // namespace autoschedule_gpu
