#include "lab/build/full_disk.h"

#include <array>
#include <csignal>

namespace autoschedule_gpu {

namespace {

constexpr const char *kGoOn = "; once there is room, the same command goes on";

// The system's words for ENOSPC, EDQUOT and EFBIG, which compilers and linkers repeat.
constexpr std::array<std::string_view, 3> kNoRoom = {"No space left on device",
                                                     "Disk quota exceeded", "File too large"};

// Returns the words of `text` that say so; empty where there are none.
std::string_view words_in(std::string_view text) {
    for (const std::string_view words : kNoRoom) {
        if (text.find(words) != std::string_view::npos) return words;
    }
    return {};
}

std::string_view words_of(const ProcessResult &result) {
    if (result.end == ProcessEnd::killed_by_signal && result.code == SIGXFSZ) return kNoRoom.back();
    const std::string_view words = words_in(result.err);
    return words.empty() ? words_in(result.out) : words;
}

}  // namespace

std::optional<std::string> full_disk_reason(const ProcessResult &result, const std::string &folder,
                                            std::optional<uint64_t> free_bytes) {
    if (free_bytes && *free_bytes < kNoRoomBytes) {
        return "the disk of " + folder + " is full" + kGoOn;
    }
    const std::string_view words = words_of(result);
    if (words.empty()) return std::nullopt;
    // Programs also write elsewhere: to the folder for temporary files, or to a cache.
    return "a file could not be written, in " + (folder.empty() ? "a folder" : folder) +
           " or among the temporary files (" + std::string(words) + ")" + kGoOn;
}

}  // namespace autoschedule_gpu
