// A new, empty folder that belongs to this process alone. Its owner's destructor removes it with
// all that is in it.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/support/error.h"

namespace autoschedule_gpu {

class TemporaryFolder {
public:
    // Makes the folder in the system's folder for temporary files.
    static Result<TemporaryFolder> create(std::string_view prefix);

    ~TemporaryFolder();
    TemporaryFolder(TemporaryFolder &&other) noexcept;
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;

    const std::filesystem::path &path() const { return path_; }

private:
    explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}

    std::filesystem::path path_;
};

}  // namespace autoschedule_gpu
