// How much room a disk has left.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace autoschedule_gpu {

// Returns how many more bytes this process's user may write to the disk of `folder`; nullopt where
// the file system does not say.
std::optional<uint64_t> free_bytes_of(const std::string &folder);

}  // namespace autoschedule_gpu
