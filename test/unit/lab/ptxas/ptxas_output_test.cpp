#include <gtest/gtest.h>

#include "core/support/random.h"
#include "lab/ptxas/ptxas.h"

namespace autoschedule_gpu {
namespace {

TEST(PtxasOutput, OfCuda13IsRead) {
    const PtxasOutput output = parse_ptxas_output(
        "ptxas info    : Overriding maximum register limit 256 for 'k' with  64 of maxrregcount\n"
        "ptxas info    : 0 bytes gmem\n"
        "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
        "ptxas info    : Function properties for k\n"
        "    40 bytes stack frame, 36 bytes spill stores, 32 bytes spill loads\n"
        "ptxas info    : Used 64 registers, used 1 barriers, 40 bytes cumulative stack size\n"
        "ptxas info    : Compile time = 17.248 ms\n"
        "ptxas info    : Compiling entry function 'm' for 'sm_90'\n"
        "ptxas info    : Function properties for m\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 14 registers, used 0 barriers\n");
    ASSERT_EQ(output.kernels.size(), 2u);
    EXPECT_TRUE(output.warnings.empty());
    const PtxasKernel &k = output.kernels[0];
    EXPECT_EQ(k.name, "k");
    EXPECT_EQ(k.registers, 64);
    EXPECT_EQ(k.stack_bytes, 40);
    EXPECT_EQ(k.spill_store_bytes, 36);
    EXPECT_EQ(k.spill_load_bytes, 32);
    EXPECT_EQ(output.kernels[1].name, "m");
    EXPECT_EQ(output.kernels[1].registers, 14);
    EXPECT_EQ(output.kernels[1].stack_bytes, 0);
}

TEST(PtxasOutput, OfOlderVersionsIsRead) {
    const PtxasOutput output = parse_ptxas_output(
        "ptxas info    : 0 bytes gmem, 24 bytes cmem[4]\n"
        "ptxas info    : Compiling entry function 'k' for 'sm_70'\r\n"
        "ptxas info    : Function properties for k\r\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\r\n"
        "ptxas info    : Used 32 registers, 4352 bytes smem, 400 bytes cmem[0], 8 bytes "
        "cmem[2]\r\n");
    ASSERT_EQ(output.kernels.size(), 1u);
    EXPECT_EQ(output.kernels[0].registers, 32);
    EXPECT_EQ(output.kernels[0].static_shared_bytes, 4352);
    EXPECT_EQ(output.kernels[0].constant_bytes, 408);
}

TEST(PtxasOutput, DoesNotTakeACalledFunctionsFrameForTheKernels) {
    const PtxasOutput output = parse_ptxas_output(
        "ptxas info    : Compiling entry function 'k' for 'sm_80'\n"
        "ptxas info    : Function properties for k\n"
        "    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads\n"
        "ptxas info    : Used 20 registers\n"
        "ptxas info    : Function properties for helper\n"
        "    96 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n");
    EXPECT_EQ(output.kernels[0].stack_bytes, 16);
    EXPECT_EQ(output.kernels[0].spill_load_bytes, 4);
}

TEST(PtxasOutput, KeepsWarnings) {
    const PtxasOutput output = parse_ptxas_output(
        "ptxas warning : For profile sm_90 adjusting per thread register count "
        "of 16 to lower bound of 24\n");
    ASSERT_EQ(output.warnings.size(), 1u);
    EXPECT_EQ(output.warnings[0].rfind("ptxas warning : For profile", 0), 0u);
}

TEST(PtxasOutput, OfNothingIsNothing) {
    EXPECT_TRUE(parse_ptxas_output("").kernels.empty());
    EXPECT_TRUE(parse_ptxas_output("\n\nwords\n").kernels.empty());
}

TEST(PtxasOutput, CutOrGarbledAnywhereIsReadWithoutCrash) {
    const std::string whole =
        "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
        "ptxas info    : Function properties for k\n"
        "    40 bytes stack frame, 36 bytes spill stores, 32 bytes spill loads\n"
        "ptxas info    : Used 64 registers, used 1 barriers, 99 bytes cmem[0], 1 bytes smem\n";
    Random random(8);
    for (size_t length = 0; length <= whole.size(); length++) {
        std::string text = whole.substr(0, length);
        EXPECT_LE(parse_ptxas_output(text).kernels.size(), 1u);
        for (int i = 0; i < 5 && !text.empty(); i++) {
            text[random.below(text.size())] = static_cast<char>(random.below(256));
        }
        EXPECT_LE(parse_ptxas_output(text).kernels.size(), 1u);
    }
    EXPECT_EQ(parse_ptxas_output("x 'Compiling entry function 'a'\n"
                                 ": Used 99999999999999999999999 registers\n")
                  .kernels[0]
                  .registers,
              0);
}

}  // namespace
}  // namespace autoschedule_gpu
