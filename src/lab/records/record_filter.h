// Selects records. A field that is not set matches any value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lab/run/tolerance.h"

namespace autoschedule_gpu {

enum class RecordOutcome : uint8_t { measured, failed };

struct RecordFilter {
    std::optional<std::string> pipeline = {}, size = {};
    std::optional<uint64_t> pipeline_hash = {};
    std::optional<std::string> device = {}, driver = {}, gpu = {}, halide = {};
    std::optional<RecordOutcome> outcome = {};
    std::optional<std::string> not_of_session = {};  // found by any other tuning run
    std::optional<Tolerance> tolerance = {};         // what counts within it (counts_within)
};

}  // namespace autoschedule_gpu
