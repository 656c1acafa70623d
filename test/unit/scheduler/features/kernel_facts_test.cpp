// Facts about kernels, on an A100.
#include "scheduler/features/kernel_facts.h"

#include <algorithm>

#include "unit/scheduler/features/features_of.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

class KernelFactsTest : public testing::Test {
protected:
    KernelFacts facts(Dag dag, std::string_view text) {
        dag_ = std::move(dag);
        kernel_ = parsed(dag_, text).kernels.at(0);
        return facts_of(dag_, gpu_, *kernel_, flats_, scratch_);
    }

    const StageFacts &stage(const KernelFacts &facts, std::string_view name) const {
        return *std::ranges::find_if(facts.stages, [&](const StageFacts &stage) {
            return stage_name(dag_, stage.stage) == name;
        });
    }

    MemoryKind memory(const KernelFacts &facts, std::string_view name) const {
        return facts.memory_of(stage(facts, name).func);
    }

    const GpuModel gpu_ = find_preset("a100").value();
    Dag dag_ = stencil_chain(3, 512, 256);
    KernelPtr kernel_;
    FlatStages flats_{dag_};
    ExtractionScratch scratch_{dag_, gpu_};
};

constexpr std::string_view kInBlockAndThread =
    "kernel f2\n"
    "  f1 threads x=34 y=10\n    f0 serial x=3 y=3\n    f1 serial\n"
    "  f2 threads x=32 y=8\n";

TEST_F(KernelFactsTest, SayInWhichMemoryEachFuncIs) {
    const KernelFacts f = facts(stencil_chain(3, 512, 256), kInBlockAndThread);
    EXPECT_EQ(memory(f, "f0"), MemoryKind::registers);
    EXPECT_EQ(memory(f, "f1"), MemoryKind::shared);
    EXPECT_EQ(memory(f, "f2"), MemoryKind::global);
    EXPECT_EQ(f.inner_funcs.size(), 2);
}

TEST_F(KernelFactsTest, SayThatAnArrayThatLoopsIndexIsInLocalMemory) {
    const KernelFacts f = facts(stencil_chain(3, 512, 256),
                                "kernel f2\n"
                                "  f1 threads x=34 y=10\n"
                                "    f0 serial x=3 y=3 unroll none\n    f1 serial\n"
                                "  f2 threads x=32 y=8\n");
    EXPECT_EQ(memory(f, "f0"), MemoryKind::local);
    EXPECT_EQ(stage(f, "f0").passes, 9);
    EXPECT_EQ(stage(f, "f0").points_per_pass, 1);
}

// f1 reads f0 at an index that is one for even and one for odd points.
Dag pattern_of_two(int64_t width) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), f0 = b.func("f0", {"x", "y"});
    const FuncId f1 = b.output("f1", {{"x", 0, width - 1}, {"y", 0, 255}});
    b.reads(f0, in, {at(0), at(1)}).reads(f1, f0, {at(0, -1, 1), at(1)}, 3);
    Dag dag = b.build();
    Stage &stage = dag.stages[dag.func(f1).stages[0].index()];
    stage.period = 2;
    stage.loads[0].access.at(0, 0) = {0, false, 2};
    return dag;
}

constexpr std::string_view kPairs =
    "kernel f1\n"
    "  f1 threads x=32 y=8\n    f0 serial x=4\n    f1 serial x=2\n";

TEST_F(KernelFactsTest, KeepAnArrayInRegistersWhoseIndexRepeatsAsTheCodeDoes) {
    EXPECT_EQ(memory(facts(pattern_of_two(512), kPairs), "f0"), MemoryKind::registers);
    EXPECT_EQ(memory(facts(pattern_of_two(511), kPairs), "f0"), MemoryKind::local);
}

TEST_F(KernelFactsTest, SayThatAnArrayThatDataIndexIsInLocalMemory) {
    Dag dag = pattern_of_two(512);
    dag.stages[find_stage(dag, "f1").index()].loads[0].access.at(0, 0) = {0, false};
    EXPECT_EQ(memory(facts(dag, kPairs), "f0"), MemoryKind::local);
}

TEST_F(KernelFactsTest, CountBlocksThreadsAndSharedMemory) {
    const KernelFacts f = facts(stencil_chain(3, 512, 256), kInBlockAndThread);
    EXPECT_EQ(f.blocks, 16 * 32);
    EXPECT_EQ(f.block_size.total(), 34 * 10);
    EXPECT_EQ(f.shared_bytes_per_block, 34 * 10 * 4);
    ASSERT_EQ(f.threads.size(), 2);
    EXPECT_EQ(f.threads[0].threads, 34 * 10);
    EXPECT_EQ(f.threads[1].threads, 32 * 8);
}

TEST_F(KernelFactsTest, ListTheStagesInOrderWithTheirThreads) {
    const KernelFacts f = facts(stencil_chain(3, 512, 256), kInBlockAndThread);
    ASSERT_EQ(f.stages.size(), 3);
    EXPECT_EQ(stage_name(dag_, f.stages[0].stage), "f0");
    EXPECT_FALSE(f.stages[0].owns_threads());
    EXPECT_EQ(f.stages[0].threads, &f.threads[0]);
    EXPECT_TRUE(f.stages[1].owns_threads());
    EXPECT_EQ(f.stages[1].threads, &f.threads[0]);
    EXPECT_TRUE(f.is_root(f.stages[2]));
    EXPECT_EQ(f.stages[0].points_per_pass, 9);
    EXPECT_EQ(f.stages[0].points, 9 * 34 * 10 * 16 * 32);
}

// f1 reads the nine values of f0 that its thread has, and stores one.
TEST_F(KernelFactsTest, ListWhatAThreadLoadsAndStores) {
    const KernelFacts f = facts(stencil_chain(3, 512, 256), kInBlockAndThread);
    double loads = 0, stores = 0;
    for (const AccessFacts &access : stage(f, "f1").accesses) {
        const bool store = access.direction == Direction::store;
        EXPECT_EQ(access.memory, store ? MemoryKind::shared : MemoryKind::registers);
        (store ? stores : loads) += access.count;
    }
    EXPECT_EQ(loads, 9);
    EXPECT_EQ(stores, 1);
}

TEST_F(KernelFactsTest, MoveWithTheThreadsInWhichAFuncIsComputed) {
    const KernelFacts f = facts(stencil_chain(3, 512, 256), kInBlockAndThread);
    const auto steps = stage(f, "f0").steps;
    ASSERT_EQ(steps[0].size(), 2);
    EXPECT_EQ(steps[0][0], 1);  // one point in x from thread to thread along x
    EXPECT_EQ(steps[0][1], 0);
    EXPECT_EQ(steps[1][1], 1);
    EXPECT_TRUE(stage(f, "f1").steps[0].empty());
}

TEST_F(KernelFactsTest, StayWhenOtherFactsAreMadeUntilTheScratchIsReset) {
    const KernelFacts first = facts(stencil_chain(3, 512, 256), kInBlockAndThread);
    const KernelPtr kernel = kernel_;
    const double points = first.block->points(first.inner_funcs[0]);
    facts(stencil_chain(3, 512, 256), "inline: f0 f1\nkernel f2\n  f2 threads x=64 y=4\n");
    EXPECT_EQ(first.block->points(first.inner_funcs[0]), points);
    EXPECT_EQ(first.block_size.total(), 34 * 10);
}

}  // namespace
}  // namespace autoschedule_gpu
