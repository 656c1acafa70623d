// What users are told where autoscheduler.records has no schedule that can be used: a schedule is
// then searched for, which nobody would notice who has measured one.
#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <string>

namespace autoschedule_gpu {

// What a measured schedule was made for, of any pipeline.
struct RecordedFor {
    uint64_t pipeline_hash = 0;  // of the pipeline with its estimates
    std::string pipeline = {};   // as it is called in the file
    std::string size = {};
    std::string gpu = {};

    friend auto operator<=>(const RecordedFor &, const RecordedFor &) = default;
};

// `wanted` is called nothing, for a file knows a pipeline by its hash. `has`: all that is in the
// file.
std::string no_record_warning(const std::string &path, const RecordedFor &wanted,
                              const std::set<RecordedFor> &has);

// There are so many, the last of which can't be used for that reason.
std::string unusable_records_warning(const std::string &path, size_t count,
                                     const std::string &why_last);

}  // namespace autoschedule_gpu
