// What every file of features begins with: which format it is, and which list of features its
// numbers follow.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/error.h"

namespace autoschedule_gpu {

struct FileFormat {
    std::string_view name;   // for error messages
    std::string_view magic;  // four characters
    uint32_t version;
};
inline constexpr FileFormat kFeaturizationFormat = {"featurization", "ASGF", 1};
inline constexpr FileFormat kSampleFormat = {"sample file", "ASGS", 1};

struct FileHeader {
    char magic[4];
    uint32_t version;
    uint64_t schema;  // feature_schema_hash()
};
inline constexpr size_t kFileHeaderBytes = 16;
static_assert(sizeof(FileHeader) == kFileHeaderBytes);

std::string file_header(const FileFormat &format);

// Whether `bytes` begin with the header that `format` has today.
Status check_file_header(const FileFormat &format, std::string_view bytes);

}  // namespace autoschedule_gpu
