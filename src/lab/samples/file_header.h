// The beginning of every file of features: which format it is, and which list of features its
// numbers follow.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "autoschedule_gpu/sample.h"
#include "core/support/error.h"
#include "scheduler/features/feature_list.h"

namespace autoschedule_gpu {

struct FileFormat {
    std::string_view name;   // for error messages
    std::string_view magic;  // four characters
    uint32_t version;
};
inline constexpr FileFormat kFeaturizationFormat = {"featurization", api::kFeaturizationMagic,
                                                    api::kFeaturizationVersion};
inline constexpr FileFormat kSampleFormat = {"sample file", api::kSampleMagic, api::kSampleVersion};

using api::FileHeader;
using api::kFileHeaderBytes;

std::string file_header(const FileFormat &format);

// Returns which features the file has, which are fewer than today's where an earlier release wrote
// it; an error unless `bytes` begin with a header of `format`.
Result<FeatureCounts> check_file_header(const FileFormat &format, std::string_view bytes);

}  // namespace autoschedule_gpu
