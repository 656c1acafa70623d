// Lets one measurement at a time run on a device, among all processes of the machine; and one tool
// at a time work in a folder. It is a lock on a file in the system's folder for temporary files,
// named after the device or the folder. The system releases the lock however its owner ends; the
// file stays.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "core/support/error.h"

namespace autoschedule_gpu {

struct LockWait {
    std::chrono::milliseconds before_message{2000};
    std::chrono::milliseconds at_most{std::chrono::hours{24}};
    // Called once, with a sentence, if the lock is still taken after `before_message`.
    std::function<void(const std::string &)> message = {};
    // What the error says if it is still taken after `at_most`; empty: that the device is.
    std::string taken = {};
};

class DeviceLock {
public:
    // `device` is "cuda", "opencl" or any other name, in which everything but letters, digits, '-'
    // and '_' counts as '_'. Locks of one process exclude each other too. Returns an error if the
    // file cannot be opened, or after `at_most`.
    static Result<DeviceLock> acquire(std::string_view device, const LockWait &wait = {});

    // Keeps other processes that ask the same out of a folder: "autotune" and where it tunes. Does
    // not wait: where another process is in it, the error is `taken`; where the file cannot be
    // opened, it is why. The folder is its text: one folder needs one name.
    static Result<DeviceLock> of_folder(std::string_view tool, std::string_view folder,
                                        std::string taken);

    ~DeviceLock();
    DeviceLock(DeviceLock &&other) noexcept;
    DeviceLock(const DeviceLock &) = delete;
    DeviceLock &operator=(const DeviceLock &) = delete;

private:
    explicit DeviceLock(int file) : file_(file) {}

    int file_ = -1;
};

}  // namespace autoschedule_gpu
