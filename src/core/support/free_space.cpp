#include "core/support/free_space.h"

#include <sys/statvfs.h>
#include <unistd.h>

namespace autoschedule_gpu {

std::optional<uint64_t> free_bytes_of(const std::string &folder) {
    struct statvfs disk = {};
    // File systems that keep no count say that they have no blocks at all.
    if (statvfs(folder.c_str(), &disk) != 0 || disk.f_blocks == 0) return std::nullopt;
    const uint64_t blocks =
        geteuid() == 0 ? disk.f_bfree : disk.f_bavail;  // root's reserve is free
    return blocks * disk.f_frsize;
}

}  // namespace autoschedule_gpu
