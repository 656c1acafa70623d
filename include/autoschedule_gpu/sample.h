// Files of features and of measured samples, to the byte: what a cost model is trained from.
//
//     FILE.featurization   FileHeader "ASGF", record 0: tables
//     FILE.samples         FileHeader "ASGS", record 0: the origin as JSON, record 1, 2, ...:
//     samples
//
// Numbers are little-endian, without padding; floating-point numbers are IEEE 754.
//
//     record   RecordHead, payload, checksum(payload, number of the record): uint64
//     sample   code hash: uint64, pipeline: text, schedule: text,
//              number of times: uint32, milliseconds: float64 each, tables
//     text     length: uint32, characters
//     tables   number of kernels: uint32, and for each
//                  kernel features: float32 each, number of stages: uint32, and for each
//                      stage: int32, stage features: float32 each, algorithm features: float32 each
//
// Features come in the order of their lists (feature_list.h). The origin is an object with the
// texts `device`, `driver`, `halide`, `plugin`, `date` and `command`, and with `gpu`, an object
// with every field of GpuModel by its name. A log may end in a record that is cut short, of a
// writer that was killed: readers leave it out. Writers lock the file (flock).
//
// Value types. Needs C++17 and the standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include "autoschedule_gpu/feature_list.h"
#include "autoschedule_gpu/gpu_model.h"
#include "autoschedule_gpu/hash.h"

namespace autoschedule_gpu::api {

inline constexpr char kFeaturizationMagic[] = "ASGF";
inline constexpr char kSampleMagic[] = "ASGS";
inline constexpr uint32_t kFeaturizationVersion = 1;
inline constexpr uint32_t kSampleVersion = 1;

struct FileHeader {
    char magic[4];
    uint32_t version;
    uint64_t schema;  // feature_schema_hash() of what the file holds; an unknown one is refused
};
inline constexpr size_t kFileHeaderBytes = 16;
static_assert(sizeof(FileHeader) == kFileHeaderBytes);

struct RecordHead {
    uint32_t length;  // of the payload, in bytes
    uint32_t check;   // record_check(number of the record, length)
};
inline constexpr size_t kRecordHeadBytes = 8;
static_assert(sizeof(RecordHead) == kRecordHeadBytes);
inline constexpr size_t kChecksumBytes = sizeof(uint64_t);

// The length has a check of its own, so that a record that is cut short is told from one whose
// length is damaged.
constexpr uint32_t record_check(uint64_t number, uint32_t length) {
    return static_cast<uint32_t>(Hasher().add(number).add(length).value());
}

// Bytes of a kernel without its stages, and of each stage.
constexpr size_t kernel_bytes(const FeatureCounts &counts) {
    return counts.kernel * sizeof(float) + sizeof(uint32_t);
}
constexpr size_t stage_bytes(const FeatureCounts &counts) {
    return sizeof(int32_t) + (counts.stage + counts.algorithm) * sizeof(float);
}

// Where the samples of one file come from. All are of one device.
struct SampleOrigin {
    std::string device;  // as its driver calls it: "NVIDIA H200"
    std::string driver;  // its version; may be empty
    GpuModel gpu;        // for which the features were computed
    // For people who ask where the numbers come from; may be empty.
    std::string halide;   // version
    std::string plugin;   // version
    std::string date;     // of the first sample, as "2026-11-22"
    std::string command;  // that wrote the file

    friend bool operator==(const SampleOrigin &a, const SampleOrigin &b) {
        const auto fields = [](const SampleOrigin &o) {
            return std::tie(o.device, o.driver, o.gpu, o.halide, o.plugin, o.date, o.command);
        };
        return fields(a) == fields(b);
    }
};

// One schedule of one pipeline, measured.
struct Sample {
    std::string pipeline;    // what is held out together when models are judged: "app:harris"
    std::string schedule;    // which schedule of it: "seed=5 dropout=40"
    uint64_t code_hash = 0;  // of the device code; 0 if unknown
    std::vector<FeatureTable> kernels;  // at least one
    std::vector<double> times_ms;       // of single runs: at least one, each finite and above 0
};

}  // namespace autoschedule_gpu::api
