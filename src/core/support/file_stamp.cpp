#include "core/support/file_stamp.h"

#include <filesystem>

namespace autoschedule_gpu {

void add_file_stamp(Hasher &hasher, const std::string &path) {
    namespace fs = std::filesystem;
    std::error_code error;
    hasher.add(path);
    const auto size = fs::file_size(path, error);
    hasher.add(error ? 0 : static_cast<uint64_t>(size));
    const auto changed = fs::last_write_time(path, error);
    hasher.add(error ? 0 : static_cast<uint64_t>(changed.time_since_epoch().count()));
}

}  // namespace autoschedule_gpu
