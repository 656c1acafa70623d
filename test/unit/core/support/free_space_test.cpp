#include "core/support/free_space.h"

#include <gtest/gtest.h>

#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

TEST(FreeBytesOf, IsWhatTheDiskOfAFolderHasLeft) {
    const Scratch scratch;
    const std::filesystem::space_info disk = std::filesystem::space(scratch.path("."));
    const std::optional<uint64_t> free_bytes = free_bytes_of(scratch.path("."));
    if (disk.capacity == 0) GTEST_SKIP() << "this file system keeps no count";
    ASSERT_TRUE(free_bytes);
    EXPECT_GT(*free_bytes, 0u);
    EXPECT_LE(*free_bytes, disk.capacity);
}

TEST(FreeBytesOf, IsUnknownWhereThereIsNoFolder) {
    const Scratch scratch;
    EXPECT_FALSE(free_bytes_of(scratch.path("none")));
    EXPECT_FALSE(free_bytes_of(""));
}

}  // namespace
}  // namespace autoschedule_gpu
