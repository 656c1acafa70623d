// Selects records. A field that is not set matches any value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace autoschedule_gpu {

enum class RecordOutcome : uint8_t { measured, failed };

struct RecordFilter {
    std::optional<std::string> pipeline = {}, size = {};
    std::optional<uint64_t> pipeline_hash = {};
    std::optional<std::string> device = {}, driver = {}, gpu = {}, halide = {};
    std::optional<RecordOutcome> outcome = {};
};

// Selects the device whose best time is asked for. Times of different devices cannot be compared,
// nor times of schedules that were made for different devices.
struct DeviceFilter {
    std::string device = {};
    std::string gpu = {};
    std::optional<std::string> driver = {}, halide = {};
};

}  // namespace autoschedule_gpu
