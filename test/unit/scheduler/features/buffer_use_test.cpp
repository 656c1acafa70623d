#include "scheduler/features/buffer_use.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/scheduler/features/features_of.h"

namespace autoschedule_gpu {
namespace {

std::vector<BufferUse> uses_of(const Dag &dag, const Nest &nest,
                               const std::vector<size_t> &kernels) {
    std::vector<KernelPtr> launch;
    for (const size_t kernel : kernels) launch.push_back(nest.kernels[kernel]);
    return buffer_uses(dag, find_preset("a100").value(), launch);
}

const BufferUse *find(const Dag &dag, const std::vector<BufferUse> &uses, const std::string &func,
                      BufferAccess access) {
    const auto found = std::ranges::find_if(uses, [&](const BufferUse &use) {
        return dag.func(use.func).name == func && use.access == access;
    });
    return found == uses.end() ? nullptr : &*found;
}

// in -> blur (3x3) -> out (3x3)
TEST(BufferUses, AreWhatTheFeaturesOfTheKernelAddUp) {
    const Dag dag = example::two_stencils(512, 256);
    const Nest nest = example::sound(dag,
                                     "kernel f1\n  f1 threads x=32 y=8\n"
                                     "kernel f0\n  f0 threads x=32 y=8\n");
    const GpuModel gpu = find_preset("a100").value();
    FeatureExtractor extractor(dag, gpu);
    for (const size_t kernel : {0, 1}) {
        double read = 0, dram = 0;
        for (const BufferUse &use : uses_of(dag, nest, {kernel})) {
            if (use.access != BufferAccess::read) continue;
            read += use.bytes;
            if (use.dram) dram += use.bytes;
        }
        const KernelFeatures features = extractor.extract(*nest.kernels[kernel]).kernel;
        EXPECT_EQ(read, features.global_bytes_read);
        EXPECT_EQ(dram, features.dram_bytes_read);
    }
}

TEST(BufferUses, TellWhatIsWrittenAndWhereItGoes) {
    const Dag dag = example::two_stencils(512, 256);
    const Nest nest = example::sound(dag,
                                     "kernel f1\n  f1 threads x=32 y=8\n"
                                     "kernel f0\n  f0 threads x=32 y=8\n");
    const std::vector<BufferUse> f1 = uses_of(dag, nest, {0}), f0 = uses_of(dag, nest, {1});
    ASSERT_NE(find(dag, f1, "f1", BufferAccess::written), nullptr);
    EXPECT_EQ(find(dag, f1, "f1", BufferAccess::written)->bytes, example::kImageBytes);
    EXPECT_TRUE(find(dag, f1, "f1", BufferAccess::written)->dram);
    ASSERT_NE(find(dag, f0, "f0", BufferAccess::written), nullptr);
    EXPECT_FALSE(find(dag, f0, "f0", BufferAccess::written)->dram) << "L2 keeps it";
    EXPECT_TRUE(find(dag, f0, "in", BufferAccess::read)->dram);
    EXPECT_EQ(find(dag, f1, "f0", BufferAccess::read)->bytes_of_block, 34 * 10 * 4);
}

TEST(BufferUses, TellWhatBlocksAndThreadsKeep) {
    const Dag dag = example::two_stencils(512, 256);
    const Nest nest = example::sound(dag,
                                     "kernel f1\n  f0 threads x=34 y=10\n"
                                     "  f1 threads x=32 y=8\n");
    const std::vector<BufferUse> uses = uses_of(dag, nest, {0});
    const BufferUse *f0 = find(dag, uses, "f0", BufferAccess::kept);
    ASSERT_NE(f0, nullptr);
    EXPECT_EQ(f0->memory, MemoryKind::shared);
    EXPECT_EQ(f0->bytes, 34 * 10 * 4);
    EXPECT_EQ(find(dag, uses, "f0", BufferAccess::read), nullptr);
}

TEST(BufferUses, CountOnceWhatKernelsOfALaunchRead) {
    const Dag dag = example::siblings(512, 256);
    const Nest nest = example::sound(dag,
                                     "kernel out\n  out threads x=32 y=8\n"
                                     "kernel dx with dx\n  dx threads x=32 y=8\n"
                                     "kernel dy with dx\n  dy threads x=32 y=8\n");
    const std::vector<BufferUse> uses = uses_of(dag, nest, {1, 2});
    ASSERT_EQ(uses.size(), 3u);
    EXPECT_EQ(uses[0].bytes, 518 * 262 * 4) << "the box around both";
    EXPECT_NE(find(dag, uses, "dx", BufferAccess::written), nullptr);
    EXPECT_NE(find(dag, uses, "dy", BufferAccess::written), nullptr);
}

}  // namespace
}  // namespace autoschedule_gpu
