// One measurement at a time on a device, among all processes of the machine: a lock on a file in
// the system's folder for temporary files, named after the device. The system drops the lock when
// its owner ends in whatever way; the file stays.
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
    // Called once, with a sentence, when the lock is not to be had after `before_message`.
    std::function<void(const std::string &)> message = {};
};

class DeviceLock {
public:
    // `device` is "cuda", "opencl" or any other name; what is no letter, digit, '-' or '_' in it
    // counts as '_'. Locks of one process exclude each other too. An error if the file cannot be
    // opened, or after `at_most`.
    static Result<DeviceLock> acquire(std::string_view device, const LockWait &wait = {});

    ~DeviceLock();
    DeviceLock(DeviceLock &&other) noexcept;
    DeviceLock(const DeviceLock &) = delete;
    DeviceLock &operator=(const DeviceLock &) = delete;

private:
    explicit DeviceLock(int file) : file_(file) {}

    int file_ = -1;
};

}  // namespace autoschedule_gpu
