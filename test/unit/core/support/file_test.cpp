#include "core/support/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
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

TEST_F(File, IsReplacedWhereALinkLeads) {
    std::filesystem::create_directory(path("folder"));
    std::filesystem::create_symlink("folder/f", path("link"));
    std::filesystem::create_symlink("link", path("link_to_link"));
    for (const char *text : {"1", "2"}) {
        EXPECT_TRUE(can_write_file(path("link_to_link")));
        ASSERT_TRUE(write_file(path("link_to_link"), text));
        EXPECT_EQ(*read_file(path("folder/f")), text);
    }
    EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
    EXPECT_TRUE(std::filesystem::is_symlink(path("link_to_link")));
    EXPECT_EQ(entries(), 3);
}

TEST_F(File, OfLinksInACircleIsAnError) {
    std::filesystem::create_symlink("a", path("b"));
    std::filesystem::create_symlink("b", path("a"));
    EXPECT_FALSE(can_write_file(path("a")));
    EXPECT_FALSE(write_file(path("a"), "1"));
    EXPECT_TRUE(std::filesystem::is_symlink(path("a")));
}

TEST_F(File, IsWrittenToWhereItIsAPipe) {
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    const int reader = open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
    std::filesystem::create_symlink("pipe", path("link"));
    EXPECT_TRUE(can_write_file(path("link")));
    ASSERT_TRUE(write_file(path("link"), "text"));
    char text[10];
    EXPECT_EQ(read(reader, text, sizeof text), 4);
    close(reader);
    EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
    EXPECT_EQ(entries(), 2);
}

TEST_F(File, ThatIsADeviceStaysOne) {
    // By way of a link, so that a mistake costs the link.
    std::filesystem::create_symlink("/dev/null", path("null"));
    std::filesystem::create_symlink("/dev/full", path("full"));
    EXPECT_TRUE(write_file(path("null"), "1"));
    EXPECT_EQ(write_file(path("full"), "1").error().message,
              path("full") + ": could not write it: No space left on device");
    EXPECT_TRUE(std::filesystem::is_symlink(path("null")));
    EXPECT_TRUE(std::filesystem::is_symlink(path("full")));
    EXPECT_EQ(entries(), 2);
}

// A program's output may go to a file.
TEST_F(File, ThatIsOpenInThisProcessIsWrittenToWhereItStands) {
    const int file = open(path("f").c_str(), O_WRONLY | O_CREAT, 0600);
    ASSERT_EQ(write(file, "before ", 7), 7);
    const std::string open_one = "/dev/fd/" + std::to_string(file);
    EXPECT_TRUE(can_write_file(open_one));
    EXPECT_TRUE(write_file(open_one, "text"));
    remove_file(open_one);
    ASSERT_EQ(write(file, " after", 6), 6);
    close(file);
    EXPECT_EQ(*read_file(path("f")), "before text after");
    EXPECT_FALSE(can_write_file(open_one));
}

TEST_F(File, IsRemovedWhereALinkLeads) {
    std::filesystem::create_symlink("f", path("link"));
    std::filesystem::create_symlink("/dev/null", path("null"));
    std::filesystem::create_directory(path("folder"));
    ASSERT_TRUE(write_file(path("link"), "1"));
    for (const char *name : {"link", "null", "folder", "none"}) remove_file(path(name));
    EXPECT_EQ(entries(), 3);
    EXPECT_TRUE(std::filesystem::exists("/dev/null"));
}

TEST_F(File, CanBeCheckedBeforeItIsWritten) {
    ASSERT_TRUE(write_file(path("f"), "1"));
    std::filesystem::create_directory(path("folder"));
    EXPECT_TRUE(can_write_file(path("f")));
    EXPECT_TRUE(can_write_file(path("new")));
    const auto why = [&](const std::string &name) {
        const Status can = can_write_file(name);
        return can ? "" : can.error().message.substr(name.size());
    };
    EXPECT_EQ(why(path("folder")), ": cannot be written: Is a directory");
    EXPECT_EQ(why(path("none/f")),
              ": cannot be written: its folder, " + path("none") + ": No such file or directory");
    EXPECT_EQ(why(path("f/g")),
              ": cannot be written: its folder, " + path("f") + ": Not a directory");
    EXPECT_NE(why("/proc/report"), "");
    EXPECT_EQ(*read_file(path("f")), "1");
    EXPECT_EQ(entries(), 2);
}

TEST_F(File, CanBeCheckedBeforeItIsRead) {
    ASSERT_TRUE(write_file(path("f"), "1"));
    EXPECT_TRUE(can_read_file(path("f")));
    EXPECT_EQ(can_read_file(path("g")).error().message,
              path("g") + ": cannot be read: No such file or directory");
    EXPECT_EQ(can_read_file(path("")).error().message,
              path("") + ": cannot be read: Is a directory");
}

TEST_F(File, IsLookedForWithoutAnException) {
    ASSERT_TRUE(write_file(path("f"), "1"));
    EXPECT_TRUE(is_there(path("f")));
    EXPECT_FALSE(is_folder(path("f")));
    EXPECT_TRUE(is_regular_file(path("f")));
    EXPECT_FALSE(is_regular_file("/dev/null"));
    EXPECT_TRUE(is_there(path("")));
    EXPECT_TRUE(is_folder(path("")));
    EXPECT_FALSE(is_regular_file(path("")));
    for (const std::string &name : {path("g"), path("f/g"), path(std::string(5000, 'x'))}) {
        EXPECT_FALSE(is_there(name));
        EXPECT_FALSE(is_folder(name));
    }
}

TEST_F(File, HasAnAbsolutePathWhereThereIsACurrentFolder) {
    EXPECT_EQ(absolute_path("/a/b"), "/a/b");
    EXPECT_TRUE(absolute_path("b").ends_with("/b"));
    EXPECT_TRUE(absolute_path("b").starts_with("/"));
}

TEST_F(File, HasOneCanonicalPathHoweverItIsNamed) {
    namespace fs = std::filesystem;
    fs::create_directory(path("folder"));
    fs::create_directory_symlink("folder", path("link"));
    const std::string folder = fs::canonical(path("folder"));
    for (const char *name : {"folder", "folder/", "./folder/.", "folder/../link", "link/"}) {
        EXPECT_EQ(*canonical_path(path(name)), folder) << name;
    }
    // What is not there yet has the name that it will have.
    for (const char *name : {"folder/new", "link/new", "link/new/", "folder/new/x/.."}) {
        EXPECT_EQ(*canonical_path(path(name)), folder + "/new") << name;
    }
    EXPECT_EQ(*canonical_path("/"), "/");
    EXPECT_EQ(*canonical_path("b"), (fs::current_path() / "b").string());
    EXPECT_TRUE(is_same_file(path("link/new/"), path("folder/new")));
    EXPECT_FALSE(is_same_file(path("link/new"), path("folder/other")));
}

TEST_F(File, HasNoCanonicalPathWhereLinksLeadInACircle) {
    std::filesystem::create_symlink("a", path("b"));
    std::filesystem::create_symlink("b", path("a"));
    const Result<std::string> none = canonical_path(path("a/f"));
    ASSERT_FALSE(none);
    EXPECT_TRUE(none.error().message.starts_with(path("a/f") + ": ")) << none.error().message;
    EXPECT_TRUE(is_same_file(path("a/f"), path("a/f")));
}

TEST_F(File, ThatIsNotThereOrIsAFolderCannotBeRead) {
    EXPECT_EQ(read_file(path("f")).error().message, path("f") + ": cannot be read");
    EXPECT_EQ(read_file(path("")).error().message, path("") + ": cannot be read");
}

}  // namespace
}  // namespace autoschedule_gpu
