// Recorded measurements, which can be used again where the device is not available.
//
// A file of JSON lines, one record each, in any order:
//
//     {"format": "autoschedule_gpu.measurement", "version": 1, "device": "NVIDIA H100",
//      "app": "unsharp", "size": "full", "code_hash": "0123456789abcdef", "scheduler": "gpu",
//      "samples_ms": [0.41, 0.4]}
//
// with "failure": {"kind": ..., "reason": ...} in place of "samples_ms" if it failed. The hash is
// that of the device code, so a changed schedule never gets an old time. It does not cover what
// runs on the host: record again if host stages are scheduled differently.
//
// A file holds the measurements of one device. The samples of several records with one key are
// combined; if one of them is a failure, it is the result.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/support/error.h"
#include "lab/build/failure.h"
#include "lab/run/noise.h"

namespace autoschedule_gpu {

struct RecordKey {
    std::string app = {};
    std::string size = {};
    uint64_t code_hash = 0;

    friend auto operator<=>(const RecordKey &, const RecordKey &) = default;
};

struct MeasurementRecord {
    std::string device = {};
    RecordKey key = {};
    std::string scheduler = {};  // for readers of the file; not part of the key
    std::vector<double> samples_ms = {};
    std::optional<Failure> failure = {};
};

std::string to_json(const MeasurementRecord &record);  // one line, without the newline
Result<MeasurementRecord> parse_record(std::string_view json);

// Appends one line to the file, which is created if necessary. The line is written whole or not at
// all.
Status append_record(const std::string &path, const MeasurementRecord &record);

class Replay {
public:
    // Both return errors that name the line, and `open` the file.
    static Result<Replay> open(const std::string &path);
    static Result<Replay> parse(std::string_view text);

    // With its interface, however it was recorded: "cuda: NVIDIA H100" (device_text).
    const std::string &device() const { return device_; }
    size_t size() const { return records_.size(); }

    // Returns the recorded samples or the recorded failure. A key that is not recorded is a failure
    // of kind setup, whose reason says whether the app is known at that size with other code.
    Outcome<Timing> find(const RecordKey &key) const;

private:
    std::string device_;
    std::map<RecordKey, MeasurementRecord> records_;
};

}  // namespace autoschedule_gpu
