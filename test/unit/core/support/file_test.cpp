#include "core/support/file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace autoschedule_gpu {
namespace {

// A folder that is empty before and gone after each test.
class File : public testing::Test {
protected:
    File()
        : folder_(std::filesystem::temp_directory_path() /
                  ("support_test_" + std::to_string(getpid()))) {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directory(folder_);
    }
    ~File() override { std::filesystem::remove_all(folder_); }

    std::string path(const std::string &name) const { return folder_ / name; }

    // How many entries the folder has.
    auto entries() const { return std::distance(std::filesystem::directory_iterator(folder_), {}); }

private:
    std::filesystem::path folder_;
};

TEST_F(File, GivesBackTheBytesThatWereWritten) {
    const std::string text("a\r\n\0\xFF", 5);
    ASSERT_TRUE(write_file(path("f"), text));
    EXPECT_EQ(*read_file(path("f")), text);
    ASSERT_TRUE(write_file(path("f"), ""));
    EXPECT_EQ(*read_file(path("f")), "");
}

TEST_F(File, LeavesNothingBesideIt) {
    ASSERT_TRUE(write_file(path("f"), "1"));
    ASSERT_TRUE(write_file(path("f"), "2"));
    EXPECT_EQ(entries(), 1);
}

TEST_F(File, ThatCannotBeWrittenIsAnError) {
    const Status status = write_file(path("nowhere/f"), "1");
    ASSERT_FALSE(status);
    EXPECT_TRUE(status.error().message.starts_with(path("nowhere/f") + ": could not open it: "));
}

TEST_F(File, KeepsAFolderOfItsName) {
    std::filesystem::create_directory(path("folder"));
    const Status status = write_file(path("folder"), "1");
    ASSERT_FALSE(status);
    EXPECT_TRUE(status.error().message.starts_with(path("folder") + ": could not replace it: "));
    EXPECT_EQ(entries(), 1);
}

TEST_F(File, ThatIsNotThereOrIsAFolderCannotBeRead) {
    EXPECT_EQ(read_file(path("f")).error().message, path("f") + ": cannot be read");
    EXPECT_EQ(read_file(path("")).error().message, path("") + ": cannot be read");
}

}  // namespace
}  // namespace autoschedule_gpu
