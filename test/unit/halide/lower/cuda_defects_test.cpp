#include "halide/lower/cuda_defects.h"

#include <gtest/gtest.h>

#include <string>

namespace autoschedule_gpu {
namespace {

// Bytes of two words, the first by one selector and the second by another, in that comparison.
std::string kernel(const std::string &first, const std::string &second, const std::string &order) {
    return ".visible .entry k(\n)\n{\n\tprmt.b32 \t%r3, %r1, 0, " + first +
           ";\n\tprmt.b32 \t%r4, %r2, 0, " + second + ";\n\tsetp." + order +
           " \t%p1, %r3, %r4;\n\tret;\n}\n";
}

TEST(CudaDefects, CodeWithoutThem) {
    EXPECT_EQ(defect_of_ptx(""), std::nullopt);
    EXPECT_EQ(defect_of_ptx(".entry"), std::nullopt);
    EXPECT_EQ(defect_of_ptx("\tprmt.b32 \t%r3, %r1, 0, 0x7770U;\n"), std::nullopt);
}

TEST(CudaDefects, BytesAreOrderedWithoutTheirSigns) {
    for (const char *order : {"lt.s32", "le.s32", "gt.s32", "ge.s32"}) {
        EXPECT_TRUE(defect_of_ptx(kernel("0x7770U", "0x7770U", order))) << order;
    }
    EXPECT_TRUE(defect_of_ptx(kernel("0x7773U", "0x7771U", "lt.s32")));
    EXPECT_TRUE(defect_of_ptx(kernel("0x7772", "30578", "lt.s32"))) << "otherwise spelt";
}

TEST(CudaDefects, UnsignedBytesAndEqualOnesHaveNoSigns) {
    EXPECT_FALSE(defect_of_ptx(kernel("0x7770U", "0x7770U", "lt.u32")));
    EXPECT_FALSE(defect_of_ptx(kernel("0x7770U", "0x7770U", "eq.b32")));
}

TEST(CudaDefects, BytesWithTheirSignsAreRight) {
    EXPECT_FALSE(defect_of_ptx(kernel("0x8880U", "0x8880U", "lt.s32")));
    EXPECT_FALSE(defect_of_ptx(kernel("0xbbb3U", "0x9991U", "lt.s32")));
    EXPECT_FALSE(defect_of_ptx(kernel("0x7770U", "0x8880U", "lt.s32"))) << "an unsigned one";
}

TEST(CudaDefects, OtherPartsOfAWordAreNoBytes) {
    EXPECT_FALSE(defect_of_ptx(kernel("0x3340U", "0x3340U", "lt.s32")));
    EXPECT_FALSE(defect_of_ptx(kernel("0x7710U", "0x7710U", "lt.s32")));
    EXPECT_FALSE(defect_of_ptx(kernel("0x7774U", "0x7774U", "lt.s32")));
    EXPECT_FALSE(defect_of_ptx(kernel("%r9", "%r9", "lt.s32")));
}

// Of two kernels, each has a byte of that name and something else beside it.
TEST(CudaDefects, AnotherKernelHasItsOwnRegisters) {
    const std::string one = kernel("0x7770U", "0x8880U", "lt.s32");
    const std::string other = kernel("0x8880U", "0x7770U", "lt.s32");
    EXPECT_FALSE(defect_of_ptx(one + other));
    EXPECT_TRUE(defect_of_ptx(one + kernel("0x7770U", "0x7770U", "lt.s32")));
    EXPECT_TRUE(defect_of_ptx(kernel("0x7770U", "0x7770U", "lt.s32") + other));
}

TEST(CudaDefects, WhatIsComparedMayStandFurtherDown) {
    EXPECT_TRUE(
        defect_of_ptx(".entry k(\n)\n\tbra.uni \t$L__BB0_2;\n$L__BB0_1:\n"
                      "\tsetp.gt.s32 \t%p1, %r3, %r4;\n$L__BB0_2:\n"
                      "\tprmt.b32 \t%r3, %r1, 0, 0x7770U;\n\tprmt.b32 \t%r4, %r2, 0, 0x7771U;\n"
                      "\tbra.uni \t$L__BB0_1;\n"));
}

}  // namespace
}  // namespace autoschedule_gpu
