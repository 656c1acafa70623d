#include "lab/run/device_lock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "core/support/hash.h"
#include "core/support/hex.h"

namespace autoschedule_gpu {
namespace {

using std::chrono::milliseconds;

// A device that nobody else locks.
std::string device() {
    return "test " + std::to_string(getpid());
}

std::filesystem::path lock_file() {
    return std::filesystem::temp_directory_path() /
           ("autoschedule_gpu_device_test_" + std::to_string(getpid()) + ".lock");
}

class DeviceLocks : public ::testing::Test {
protected:
    ~DeviceLocks() override { std::filesystem::remove(lock_file()); }

    // Another process that holds the lock of `name` until it is ended.
    static pid_t holder(const std::string &name) {
        int ends[2];
        if (pipe(ends) != 0) return -1;
        const pid_t child = fork();
        if (child == 0) {
            const auto lock = DeviceLock::acquire(name);
            const char told = lock ? 'y' : 'n';
            if (write(ends[1], &told, 1) != 1) _exit(1);
            for (;;) pause();
        }
        char told = 0;
        EXPECT_EQ(read(ends[0], &told, 1), 1);
        EXPECT_EQ(told, 'y');
        close(ends[0]);
        close(ends[1]);
        return child;
    }

    static void end(pid_t child) {
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
    }
};

TEST_F(DeviceLocks, ExcludeAnotherProcessUntilItEndsInWhateverWay) {
    const pid_t other = holder(device());
    const auto refused = DeviceLock::acquire(device(), {.at_most = milliseconds{60}});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message, "the device " + device() +
                                           " was not free within 0 s: another process holds " +
                                           lock_file().string());
    end(other);
    EXPECT_TRUE(DeviceLock::acquire(device(), {.at_most = milliseconds{1000}}).ok());
}

TEST_F(DeviceLocks, SayOnceThatTheyWait) {
    const pid_t other = holder(device());
    std::vector<std::string> messages;
    const auto refused = DeviceLock::acquire(
        device(), {.before_message = milliseconds{20},
                   .at_most = milliseconds{200},
                   .message = [&](const std::string &text) { messages.push_back(text); }});
    EXPECT_FALSE(refused.ok());
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0], "waiting for the device " + device() +
                               ": another process measures on it (" + lock_file().string() + ")");
    end(other);
}

TEST_F(DeviceLocks, WaitForTheirTurn) {
    const pid_t other = holder(device());
    std::thread ender([&] {
        std::this_thread::sleep_for(milliseconds{100});
        end(other);
    });
    EXPECT_TRUE(DeviceLock::acquire(device(), {.at_most = milliseconds{10000}}).ok());
    ender.join();
}

TEST_F(DeviceLocks, ExcludeEachOtherWithinAProcessAndMove) {
    auto lock = DeviceLock::acquire(device());
    ASSERT_TRUE(lock.ok());
    {
        const DeviceLock moved = std::move(lock).value();
        EXPECT_FALSE(DeviceLock::acquire(device(), {.at_most = milliseconds{40}}).ok());
    }
    EXPECT_TRUE(DeviceLock::acquire(device(), {.at_most = milliseconds{40}}).ok());
}

TEST_F(DeviceLocks, OfDifferentDevicesAreIndependent) {
    const auto one = DeviceLock::acquire(device());
    const auto other = DeviceLock::acquire(device() + "b", {.at_most = milliseconds{40}});
    EXPECT_TRUE(one.ok());
    EXPECT_TRUE(other.ok());
    std::filesystem::remove(
        std::filesystem::temp_directory_path() /
        ("autoschedule_gpu_device_test_" + std::to_string(getpid()) + "b.lock"));
}

TEST_F(DeviceLocks, KeepASecondOfAToolOutOfAFolder) {
    const std::string folder = "/tmp/" + device();
    {
        const auto first = DeviceLock::of_folder("test", folder, "taken");
        ASSERT_TRUE(first.ok());
        const auto second = DeviceLock::of_folder("test", folder, "taken");
        ASSERT_FALSE(second.ok());
        EXPECT_EQ(second.error().message, "taken");
        EXPECT_TRUE(DeviceLock::of_folder("test_other", folder, "taken").ok());
        EXPECT_TRUE(DeviceLock::of_folder("test", folder + "b", "taken").ok());
    }
    EXPECT_TRUE(DeviceLock::of_folder("test", folder, "taken").ok());
    for (const std::string &name : {"test_" + to_hex(Hasher().add(folder).value()),
                                    "test_other_" + to_hex(Hasher().add(folder).value()),
                                    "test_" + to_hex(Hasher().add(folder + "b").value())}) {
        EXPECT_TRUE(std::filesystem::remove(std::filesystem::temp_directory_path() /
                                            ("autoschedule_gpu_device_" + name + ".lock")));
    }
}

// Whoever has no folder for temporary files would look in vain for another process.
TEST_F(DeviceLocks, SayWhyTheFileOfAFolderCannotBeOpened) {
    const char *const found = getenv("TMPDIR");
    const std::string before = found != nullptr ? found : "";
    setenv("TMPDIR", "/nonexistent", 1);
    const auto refused = DeviceLock::of_folder("test", "/tmp/" + device(), "taken");
    if (found != nullptr) {
        setenv("TMPDIR", before.c_str(), 1);
    } else {
        unsetenv("TMPDIR");
    }
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message.find("no folder for temporary files: "), 0u);
}

}  // namespace
}  // namespace autoschedule_gpu
