#include "lab/records/file_system.h"

#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>

#include "core/support/file.h"

namespace autoschedule_gpu {
namespace {

// Numbers from statfs(2), and from the headers of file systems that are not part of Linux.
constexpr std::array<uint32_t, 14> kSharedFileSystems = {
    0x00006969,  // NFS
    0xff534d42,  // CIFS
    0xfe534d42,  // SMB 2
    0x0000517b,  // SMB
    0x0bd00bd0,  // Lustre
    0x47504653,  // GPFS
    0x19830326,  // BeeGFS
    0x00c36400,  // Ceph
    0x5346414f,  // AFS
    0x6b414653,  // kAFS
    0x73757245,  // Coda
    0x01161970,  // GFS 2
    0x01021997,  // 9P
    0x65735546,  // FUSE: sshfs, but also local file systems
};

}  // namespace

bool is_on_shared_file_system(const std::string &path) {
    // SQLite keeps what belongs to a file beside what a link leads to.
    const Result<std::string> canonical = canonical_path(path);
    const std::filesystem::path file = canonical ? *canonical : absolute_path(path);
    const std::string folder = file.parent_path().string();
    struct statfs status {};
    if (statfs(folder.c_str(), &status) != 0) return false;
    const auto type = static_cast<uint32_t>(status.f_type);
    return std::find(kSharedFileSystems.begin(), kSharedFileSystems.end(), type) !=
           kSharedFileSystems.end();
}

}  // namespace autoschedule_gpu
