#include "core/support/narration.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

TEST(Narration, IsLeftOutLineByLine) {
    EXPECT_EQ(without_narration("GPU autoscheduler: A100, 1 kernel\nError: GPU autoscheduler: no\n"
                                "Warning: GPU autoscheduler: y\nWarning: x\nLLVM ERROR: z"),
              "Error: GPU autoscheduler: no\nWarning: x\nLLVM ERROR: z");
    EXPECT_EQ(without_narration("GPU autoscheduler: without an end"), "");
    EXPECT_EQ(without_narration(""), "");
    EXPECT_EQ(without_narration("\n\n"), "\n\n");
}

}  // namespace
}  // namespace autoschedule_gpu
