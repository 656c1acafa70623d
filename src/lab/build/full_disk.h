// Whether a step failed because a disk is full, which is no fault of the schedule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/process/subprocess.h"

namespace autoschedule_gpu {

// With less room than this a step may have failed for want of it, whatever it says: a driver whose
// compiler can't write its files says only that it could not build the program.
inline constexpr uint64_t kNoRoomBytes = uint64_t{4} << 20;

// Returns the reason where a program could not write its files: it says so itself, the system ended
// it for a file too large, or no room is left on the disk of `folder`, in which it worked.
// `free_bytes` is what is left there; nullopt where that is unknown.
std::optional<std::string> full_disk_reason(const ProcessResult &result, const std::string &folder,
                                            std::optional<uint64_t> free_bytes);

}  // namespace autoschedule_gpu
