// Shows a file of features to people, as tables or as JSON: a featurization
// (lab/samples/featurization.h) or samples (lab/samples/sample_file.h).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/support/error.h"
#include "lab/samples/sample_file.h"
#include "scheduler/features/feature_list.h"

namespace autoschedule_gpu {

using Featurization = std::vector<FeatureTable>;  // one table per kernel

struct FeatureFile {
    std::string path;
    uint64_t schema = 0;  // of the file, which an earlier release may have written
    std::variant<Featurization, SampleFile> content;
};

// Reads the file; its first bytes say which of the two it is. Errors begin with the path.
Result<FeatureFile> read_feature_file(const std::string &path);

// Returns what the file is and how much it holds. For a featurization, every feature follows by
// name; for samples, the least, median and greatest value of each over all kernels or stages.
std::string feature_file_text(const FeatureFile &file);

// Returns the same as a JSON object, in which features have all their digits:
//
//     {"file": ..., "format": "featurization", "schema": 16 hexadecimal digits,
//      "kernels": [{"features": {NAME: value, ...},
//                   "stages": [{"stage": id or null, "features": {NAME: value, ...}}]}]}
//     {"file": ..., "format": "samples", "schema": ..., "origin": {...}, "samples": 20,
//      "pipelines": 4, "kernels": 60, "stages": 200, "times": 100, "torn_bytes": 0,
//      "features": [{"name": ..., "unit": ..., "of": "kernel" or "stage", "values": 60,
//                    "zeros": 3, "least": ..., "median": ..., "greatest": ...}]}
std::string feature_file_json(const FeatureFile &file);

}  // namespace autoschedule_gpu
