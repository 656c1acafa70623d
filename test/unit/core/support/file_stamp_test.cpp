#include "core/support/file_stamp.h"

#include <gtest/gtest.h>

#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

uint64_t stamp_of(const std::string &path) {
    Hasher hasher;
    add_file_stamp(hasher, path);
    return hasher.value();
}

TEST(FileStamp, IsAnotherWhereTheFileIs) {
    const Scratch scratch;
    const std::string path = scratch.path("program");
    const uint64_t absent = stamp_of(path);
    scratch.write("program", "at first");
    const uint64_t first = stamp_of(path);
    EXPECT_NE(first, absent);
    EXPECT_EQ(stamp_of(path), first);
    scratch.write("program", "then another");
    EXPECT_NE(stamp_of(path), first);
    const auto changed = std::filesystem::last_write_time(path);
    const uint64_t then = stamp_of(path);
    std::filesystem::last_write_time(path, changed + std::chrono::seconds(1));
    EXPECT_NE(stamp_of(path), then) << "of the same size, but written later";
    EXPECT_NE(stamp_of(scratch.write("copy", "then another")), then);
}

}  // namespace
}  // namespace autoschedule_gpu
