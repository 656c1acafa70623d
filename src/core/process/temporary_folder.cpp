#include "core/process/temporary_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "core/support/file.h"

namespace autoschedule_gpu {

Result<TemporaryFolder> TemporaryFolder::create(std::string_view prefix) {
    std::error_code code;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(code);
    if (code) return Error{"no folder for temporary files: " + code.message()};
    std::string name = (parent / prefix).string() + "XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
        return Error{"cannot make the temporary folder " + name + ": " + std::strerror(errno)};
    }
    return TemporaryFolder(name);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder &&other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryFolder::~TemporaryFolder() {
    if (!path_.empty()) remove_folder(path_);
}

}  // namespace autoschedule_gpu
