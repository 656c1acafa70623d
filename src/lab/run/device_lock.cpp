#include "lab/run/device_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "core/support/hash.h"
#include "core/support/hex.h"

namespace autoschedule_gpu {

namespace {

std::string file_name(std::string_view device) {
    std::string name = "autoschedule_gpu_device_";
    for (const char c : device) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || c == '_';
        name += plain ? c : '_';
    }
    return name + ".lock";
}

// Opens the file without O_CREAT if it exists, and only for reading: more is not allowed for
// another user's file in a sticky folder, and a lock needs no more.
int open_for_all(const std::string &path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file >= 0 || errno != ENOENT) return file;
    const int made = open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    // Whatever the umask: who may not read the file could measure nothing. Where another user has
    // been faster, it is not ours to change, and needs no change.
    if (made >= 0) (void)fchmod(made, 0644);
    return made;
}

std::string seconds_text(std::chrono::milliseconds time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

}  // namespace

Result<DeviceLock> DeviceLock::acquire(std::string_view device, const LockWait &wait) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds kPause{20};
    std::error_code code;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(code);
    if (code) return Error{"no folder for temporary files: " + code.message()};
    const std::string path = (folder / file_name(device)).string();
    DeviceLock lock(open_for_all(path));
    if (lock.file_ < 0) return Error{"cannot open " + path + ": " + std::strerror(errno)};

    const Clock::time_point start = Clock::now();
    bool told = false;
    while (flock(lock.file_, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return Error{"cannot lock " + path + ": " + std::strerror(errno)};
        }
        const auto waited =
            std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
        if (waited >= wait.at_most) {
            if (!wait.taken.empty()) return Error{wait.taken};
            return Error{"the device " + std::string(device) + " was not free within " +
                         seconds_text(wait.at_most) + ": another process holds " + path};
        }
        if (!told && waited >= wait.before_message) {
            told = true;
            if (wait.message) {
                wait.message("waiting for the device " + std::string(device) +
                             ": another process measures on it (" + path + ")");
            }
        }
        std::this_thread::sleep_for(kPause);
    }
    return lock;
}

Result<DeviceLock> DeviceLock::of_folder(std::string_view tool, std::string_view folder,
                                         std::string taken) {
    return acquire(std::string(tool) + "_" + to_hex(Hasher().add(folder).value()),
                   {.at_most = std::chrono::milliseconds{0}, .taken = std::move(taken)});
}

DeviceLock::DeviceLock(DeviceLock &&other) noexcept : file_(std::exchange(other.file_, -1)) {}

DeviceLock::~DeviceLock() {
    if (file_ >= 0) close(file_);
}

}  // namespace autoschedule_gpu
