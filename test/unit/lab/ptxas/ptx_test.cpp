#include "lab/ptxas/ptx.h"

#include <gtest/gtest.h>

#include "unit/lab/ptxas/sample_ptx.h"

namespace autoschedule_gpu {
namespace {

using Names = std::vector<std::string>;

TEST(SplitPtx, FindsTargetAndKernelsInOrder) {
    const auto modules = split_ptx("//\n// Generated\n//\n\n" + ptx_head("sm_80") +
                                   small_kernel("b") + small_kernel("a"))
                             .value();
    ASSERT_EQ(modules.size(), 1u);
    EXPECT_EQ(modules[0].target, 80);
    EXPECT_EQ(modules[0].kernels, (Names{"b", "a"}));
}

TEST(SplitPtx, SplitsModulesThatFollowEachOther) {
    const std::string first = ptx_head("sm_70") + small_kernel("a");
    const std::string second = ptx_head("sm_86") + small_kernel("a") + small_kernel("b");
    const auto modules = split_ptx(first + second).value();
    ASSERT_EQ(modules.size(), 2u);
    EXPECT_EQ(modules[0].text, first);
    EXPECT_EQ(modules[1].text, second);
    EXPECT_EQ(modules[1].target, 86);
    EXPECT_EQ(modules[1].kernels, (Names{"a", "b"}));
}

TEST(SplitPtx, ReadsVariantsOfATargetAndWindowsLines) {
    const auto modules =
        split_ptx(".version 8.0\r\n.target sm_90a, debug\r\n.visible .entry k(\r\n").value();
    EXPECT_EQ(modules[0].target, 90);
    EXPECT_EQ(modules[0].kernels, Names{"k"});
}

TEST(SplitPtx, IgnoresDirectivesInCommentsAndInLongerWords) {
    const auto modules =
        split_ptx(ptx_head() + "// .entry commented(\n// %bb.0: // %entry\n.entryish x(\n" +
                  small_kernel("k"))
            .value();
    EXPECT_EQ(modules[0].kernels, Names{"k"});
}

TEST(SplitPtx, DropsTheZeroByteOfTheEmbeddedCopy) {
    const std::string text = ptx_head() + small_kernel("k");
    const auto modules = split_ptx(text + std::string(1, '\0')).value();
    EXPECT_EQ(modules[0].text.find('\0'), std::string::npos);
}

TEST(SplitPtx, AcceptsAModuleWithoutKernels) {
    EXPECT_TRUE(split_ptx(ptx_head()).value()[0].kernels.empty());
}

TEST(SplitPtx, RefusesWhatIsNoPtx) {
    EXPECT_EQ(split_ptx("").error().message, "expected PTX, found no .version directive");
    EXPECT_EQ(split_ptx("\x7f"
                        "ELF")
                  .error()
                  .message,
              "expected PTX, found no .version directive");
    EXPECT_EQ(
        split_ptx("#pragma OPENCL FP_CONTRACT ON\n__kernel void f(int x) { }\n").error().message,
        "expected PTX, found OpenCL C");
    EXPECT_EQ(split_ptx(".version 6.5\n").error().message,
              "expected PTX, found no .target sm_XX directive");
    EXPECT_EQ(split_ptx(".version 6.5\n.target texmode\n").error().message,
              "expected PTX, found no .target sm_XX directive");
}

}  // namespace
}  // namespace autoschedule_gpu
