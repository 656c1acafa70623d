#include "halide/lower/opencl_defects.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

TEST(OpenclDefects, CodeWithoutThem) {
    EXPECT_EQ(defect_of_opencl(""), std::nullopt);
    EXPECT_EQ(defect_of_opencl("__kernel void a(\n"
                               " const int _n)\n"
                               "{\n"
                               " int4 _1 = 255;\n"
                               " int4 _2 = min(_0, _1);\n"
                               " int2 _3 = (int2)(_2.s0, _2.s2);\n"
                               " int _4 = _3.s0 + _n;\n"
                               " int2 _5 = _3 * _4;\n"
                               "} // kernel a\n"),
              std::nullopt);
}

TEST(OpenclDefects, AConstantWithTheNameThatItHasAtAnotherWidth) {
    const std::string_view constant = "__kernel void a(\n int4 _1 = 255;\n int2 _2 = _9.s01;\n";
    const auto with = [&](std::string_view line) { return std::string(constant).append(line); };
    EXPECT_TRUE(defect_of_opencl(with(" int2 _3 = min(_2, _1);\n")));
    EXPECT_TRUE(defect_of_opencl(with(" int2 _3 = max(_2, _1);\n")));
    EXPECT_TRUE(defect_of_opencl(with(" int2 _3 = _1 * _2;")));
    EXPECT_FALSE(defect_of_opencl(with(" int2 _3 = _2 * _2;\n")));
}

TEST(OpenclDefects, AnotherKernelHasItsOwnNames) {
    EXPECT_FALSE(
        defect_of_opencl("__kernel void a(\n int4 _1 = 255;\n"
                         "__kernel void b(\n int2 _2 = _3 + _1;\n"));
}

TEST(OpenclDefects, AtomicsThatNeverEnd) {
    EXPECT_TRUE(defect_of_opencl("} while(atomic_cmpxchg((volatile __local int *)&_sum[_1], "));
    EXPECT_FALSE(defect_of_opencl("} while(atomic_cmpxchg((volatile __global int *)&_sum[_1], "));
}

TEST(GuardedBarriers, AreThoseUnderConditions) {
    constexpr std::string_view kLoop = R"(__kernel void k(const int _n)
{
 for (int i = 0; i < _n; i++)
 {
  if (_n < 3)
  {
   a[0] = 1;
  } // if _n
  barrier(CLK_LOCAL_MEM_FENCE);
 } // for i
})";
    constexpr std::string_view kUsed = R"(__kernel void k(const int _used)
{
 if (_used)
 {
  for (int i = 0; i < 4; i++)
  {
   barrier(CLK_LOCAL_MEM_FENCE);
  } // for i
 } // if _used
})";
    constexpr std::string_view kElse = R"(__kernel void k(const int _used)
{
 if (_used)
 {
  a[0] = 1;
 } // if _used
 else
 {
  barrier(CLK_LOCAL_MEM_FENCE);
 } // if _used else
})";
    constexpr std::string_view kStep = R"(__kernel void k(const int _n)
{
 for (int i = 0; i < 4; i++)
 {
  if (_1)
  {
   barrier(CLK_LOCAL_MEM_FENCE);
  } // if _1
 } // for i
})";
    using enum BarrierGuards;
    for (const BarrierGuards which : {outside_loops, any}) {
        EXPECT_FALSE(has_guarded_barrier(kLoop, which));
        EXPECT_TRUE(has_guarded_barrier(kUsed, which));
        EXPECT_TRUE(has_guarded_barrier(kElse, which));
    }
    EXPECT_TRUE(has_guarded_barrier(kStep, any));
    EXPECT_FALSE(has_guarded_barrier(kStep, outside_loops));
}

}  // namespace
}  // namespace autoschedule_gpu
