#include "scheduler/space/state.h"

#include <gtest/gtest.h>

#include "scheduler/nest/edit.h"
#include "unit/dag_builder.h"
#include "unit/example_dags.h"
#include "unit/scheduler/space/walk.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

TEST(Materialise, AddsAndReplacesKernelsAndSumsTheirCosts) {
    const Dag dag = two_stencils(128, 128);
    const FuncId f0 = find_func(dag, "f0"), f1 = find_func(dag, "f1");
    const StageId s0 = find_stage(dag, "f0"), s1 = find_stage(dag, "f1");
    const GpuModel gpu = a100();
    const SearchSpace space(dag, gpu, RuleBook(), Freedom::full);
    const KernelPtr first = make_kernel(dag, s1, {{1, 32}, {1, 8}});
    const State root = materialise(dag, space.initial(), {f1, Place::root, {{0, first}}}, {5});
    EXPECT_EQ(root.nest.kernels, std::vector<KernelPtr>{first});
    EXPECT_EQ(root.cost, 5);
    EXPECT_EQ(root.home[s1.index()], 0);
    EXPECT_EQ(root.home[s0.index()], -1);
    EXPECT_EQ(root.id, root.nest.hash());

    const KernelPtr fused = compute_in_block(dag, first, f0, {34, 10}, {1, 1});
    const State block = materialise(dag, root, {f0, Place::block, {{0, fused}}}, {7});
    EXPECT_EQ(block.nest.kernels, std::vector<KernelPtr>{fused});
    EXPECT_EQ(block.cost, 7);
    EXPECT_EQ(block.home[s0.index()], 0);
    EXPECT_TRUE(is_in_kernel(block.nest.place(f0)));

    const KernelPtr second = make_kernel(dag, s0, {{1, 32}, {1, 8}});
    const State apart = materialise(dag, root, {f0, Place::root, {{1, second}}}, {3});
    EXPECT_EQ(apart.nest.kernels, (std::vector<KernelPtr>{first, second}));
    EXPECT_EQ(apart.cost, 8);
    EXPECT_EQ(apart.kernel_costs, (std::vector<double>{5, 3}));
    EXPECT_EQ(apart.home[s0.index()], 1);
    // The parent is what it was.
    EXPECT_EQ(root.nest.kernels, std::vector<KernelPtr>{first});
    EXPECT_EQ(root.nest.place(f0), Place::undecided);
}

TEST(ConsumerKernels, LooksThroughInlinedFuncs) {
    const Dag dag = diamond(1024, 512);
    const GpuModel gpu = a100();
    const SearchSpace space(dag, gpu, RuleBook(), Freedom::full);
    const FuncId base = find_func(dag, "base");
    using Kernels = std::vector<size_t>;
    const auto consumers = [&](const std::vector<Wanted> &decisions) {
        return consumer_kernels(dag, walk(space, decisions), base);
    };
    EXPECT_EQ(consumers({}), Kernels{});
    EXPECT_EQ(consumers({kRoot, kAny, kRoot, kAny, kRoot, kAny}), (Kernels{1, 2}));
    EXPECT_EQ(consumers({kRoot, kAny, kInline, kAny, kInline, kAny}), Kernels{0});
    EXPECT_EQ(consumers({kRoot, kAny, kInline, kAny, kRoot, kAny}), (Kernels{0, 1}));
    EXPECT_EQ(consumers({kRoot, kAny, kBlock, kAny, kThread, kAny}), Kernels{0});
}

// Kernels on the host don't list what is inlined in them.
TEST(ConsumerKernels, LooksThroughWhatIsInlinedOnTheHost) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId first = b.func("first", {"x", "y"}), between = b.func("between", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 255}, {"y", 0, 255}});
    b.reads(first, in, {at(0, -1, 1), at(1)}, 3).ops(first, OpKind::add, 2);
    b.reads(between, first, {at(0, -1, 1), at(1)}, 3).ops(between, OpKind::add, 2);
    b.reads(out, between, {at(0), at(1)}).ops(out, OpKind::add, 2);
    const Dag dag = b.must_inline(between).on_host(out, "it prints").build();
    const GpuModel gpu = a100();
    const SearchSpace space(dag, gpu, RuleBook(), Freedom::full);
    const State state = walk(space, {kRoot});
    EXPECT_EQ(consumer_kernels(dag, state, first), std::vector<size_t>{0});
    RuleCounts rejected{};
    const std::vector<Decision> places =
        space.decisions(state, {Step::Kind::place, first, {}}, Retile::no, rejected);
    ASSERT_EQ(places.size(), 1u);
    EXPECT_EQ(places[0].place, Place::root);
}

TEST(ConsumerBands, AreTheThreadsWhoseInnermostLoopsUseAFunc) {
    const Dag dag = diamond(1024, 512);
    const GpuModel gpu = a100();
    const SearchSpace space(dag, gpu, RuleBook(), Freedom::full);
    const FuncId base = find_func(dag, "base");
    const auto bands = [&](const std::vector<Wanted> &decisions) {
        const State state = walk(space, decisions);
        std::vector<std::string> names;
        for (const Band *band : consumer_bands(dag, *state.nest.kernels[0], base)) {
            names.push_back(stage_name(dag, band->stage));
        }
        return names;
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(bands({kRoot, kAny, kBlock, kAny, kBlock, kAny}), (Names{"left", "right"}));
    EXPECT_EQ(bands({kRoot, kAny, kBlock, kAny, kInline, kAny}), (Names{"right", "out"}));
    EXPECT_EQ(bands({kRoot, kAny, kInline, kAny, kInline, kAny}), Names{"out"});
    EXPECT_EQ(bands({kRoot, kAny, kRoot, kAny, kRoot, kAny}), Names{});
}

}  // namespace
}  // namespace autoschedule_gpu
