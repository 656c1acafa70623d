#include "plugins/extensions/plain_nest.h"

#include <gtest/gtest.h>

#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

const GpuModel kGpu = find_preset("a100").value();

api::Kernel plain(const Dag &dag, std::string_view text) {
    return plain_kernel(dag, kGpu, *example::parsed(dag, text).kernels.at(0));
}

// Trips of a stage's loops by level: "x 4*1*32*1 of 128".
std::string loops(const api::Stage &stage) {
    std::string text;
    for (const api::Loop &loop : stage.loops) {
        text += (text.empty() ? "" : ", ") + loop.name + " " + std::to_string(loop.blocks) + "*" +
                std::to_string(loop.rounds) + "*" + std::to_string(loop.threads) + "*" +
                std::to_string(loop.serial) + " of " + std::to_string(loop.extent);
    }
    return text;
}

TEST(PlainKernel, HasTheStageAtRootWithItsLevels) {
    const Dag dag = example::copy(512, 256);
    const api::Kernel kernel = plain(dag, R"(kernel out blocks x=16 y=16
  out threads x=32 y=4
    out serial x=1 y=4)");
    EXPECT_EQ(kernel.name, "out");
    EXPECT_FALSE(kernel.on_host);
    EXPECT_EQ(kernel.blocks, 256);
    EXPECT_EQ(kernel.threads_x, 32);
    EXPECT_EQ(kernel.threads_y, 4);
    EXPECT_EQ(kernel.threads(), 128);
    EXPECT_EQ(kernel.shared_bytes, 0);
    ASSERT_EQ(kernel.stages.size(), 1u);
    const api::Stage &out = kernel.stages[0];
    EXPECT_EQ(out.name, "out");
    EXPECT_TRUE(out.is_output);
    EXPECT_EQ(out.memory, MemoryKind::global);
    EXPECT_EQ(out.inside, -1);
    EXPECT_EQ(out.extents, (std::vector<int64_t>{512, 256}));
    EXPECT_EQ(loops(out), "x 16*1*32*1 of 512, y 16*1*4*4 of 256");
}

TEST(PlainKernel, HasWhatABlockComputesInSharedMemory) {
    const Dag dag = example::two_stencils(512, 256);
    const api::Kernel kernel = plain(dag, R"(kernel f1 blocks x=16 y=32
  f0 threads x=34 y=10
    f0 serial x=1 y=1
  f1 threads x=32 y=8
    f1 serial x=1 y=1)");
    ASSERT_EQ(kernel.stages.size(), 2u);
    const api::Stage &blur = kernel.stages[0];
    EXPECT_EQ(blur.func, "f0");
    EXPECT_FALSE(blur.is_output);
    EXPECT_EQ(blur.memory, MemoryKind::shared);
    EXPECT_EQ(loops(blur), "x 1*1*34*1 of 34, y 1*1*10*1 of 10");
    EXPECT_EQ(kernel.stages[1].func, "f1");
    EXPECT_EQ(kernel.shared_bytes, 34 * 10 * blur.element_bytes);
    EXPECT_EQ(kernel.threads_x, 34);
}

TEST(PlainKernel, HasWhatAThreadComputesInRegisters) {
    const Dag dag = example::two_stencils(512, 256);
    const api::Kernel kernel = plain(dag, R"(kernel f1 blocks x=16 y=32
  f1 threads x=32 y=8
    f0 serial x=3 y=3
    f1 serial x=1 y=1)");
    ASSERT_EQ(kernel.stages.size(), 2u);
    EXPECT_EQ(kernel.stages[0].func, "f0");
    EXPECT_EQ(kernel.stages[0].memory, MemoryKind::registers);
    EXPECT_EQ(kernel.stages[0].inside, 1);
    EXPECT_EQ(loops(kernel.stages[0]), "x 1*1*1*3 of 3, y 1*1*1*3 of 3");
    EXPECT_EQ(kernel.stages[1].inside, -1);
    EXPECT_EQ(kernel.shared_bytes, 0);
}

TEST(PlainKernel, HasWhatIsInlined) {
    const Dag dag = example::two_stencils(512, 256);
    const api::Kernel kernel = plain(dag, R"(inline: f0
kernel f1 blocks x=16 y=32
  f1 threads x=32 y=8
    f1 serial x=1 y=1)");
    EXPECT_EQ(kernel.inlined, std::vector<std::string>{"f0"});
    EXPECT_EQ(kernel.stages.size(), 1u);
}

TEST(PlainKernel, OnTheHostIsAWholeStage) {
    const Dag dag = example::copy(512, 256);
    const api::Kernel kernel = plain(dag, "kernel out host");
    EXPECT_TRUE(kernel.on_host);
    ASSERT_EQ(kernel.stages.size(), 1u);
    EXPECT_EQ(loops(kernel.stages[0]), "x 1*1*1*1 of 512, y 1*1*1*1 of 256");
}

TEST(PlainStage, LeavesToBlocksWhatTilesDoNotCover) {
    const Dag dag = example::copy(500, 256);
    const std::vector<LoopTile> tiling = {{1, 32}, {4, 4}};
    EXPECT_EQ(loops(plain_stage_at_root(dag, example::find_stage(dag, "out"), tiling)),
              "x 16*1*32*1 of 500, y 16*1*4*4 of 256");
}

TEST(PlainStage, KeepsReductionsWhole) {
    const Dag dag = example::matmul_output(64);
    const StageId update = example::find_stage(dag, "out.update(0)");
    std::vector<LoopTile> tiling;
    for (const Loop &loop : dag.stage(update).loops) {
        tiling.push_back(loop.parallel ? LoopTile{1, 8} : LoopTile{});
    }
    const api::Stage stage = plain_stage_at_root(dag, update, tiling);
    EXPECT_EQ(stage.update, 1);
    for (const api::Loop &loop : stage.loops) {
        EXPECT_EQ(loop.serial, loop.reduction ? 64 : 1) << loop.name;
        EXPECT_EQ(loop.blocks, loop.reduction ? 1 : 8) << loop.name;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
