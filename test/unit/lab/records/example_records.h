// Records as tests need them, and stores in a folder that goes with the test.
#pragma once

#include <string>

#include "lab/records/record_store.h"
#include "unit/scratch.h"

namespace autoschedule_gpu {

inline Environment example_environment() {
    return {.device = "NVIDIA H200",
            .driver = "570.86",
            .gpu = "H200",
            .halide = "21.0.0",
            .plugin = "0.1.0",
            .feature_schema = 0xfedcba9876543210};
}

// Measured, with a median of `ms`.
inline TuningRecord example_record(uint64_t code_hash, double ms = 1) {
    return {.pipeline = {.name = "app:harris", .size = "reduced", .hash = 0x8000000000000001},
            .environment = example_environment(),
            .code_hash = code_hash,
            .found_by = "strategy=beam seed=5",
            .trace = R"({"directives": []})",
            .decisions = "[1, 2]",
            .features = std::string("ASGF\0\x01", 6),
            .predicted_ms = 0.5,
            .registers = 40,
            .spill_bytes = 0,
            .samples_ms = {ms, ms * 2, ms / 2},
            .verified = true,
            .recorded_at = "2026-11-22T09:30:00Z"};
}

inline TuningRecord failed_record(uint64_t code_hash, FailureKind kind = FailureKind::crash) {
    TuningRecord record = example_record(code_hash);
    record.samples_ms.clear();
    record.verified = false;
    record.failure = Failure{.kind = kind,
                             .reason = "the run was ended by signal 11",
                             .command = "bin/pipeline_runner x.so",
                             .output = "Segmentation fault"};
    return record;
}

inline KnownDraw example_draw(const std::string &draw, const Outcome<uint64_t> &code_hash) {
    return {.key = {.pipeline_hash = 1, .environment = example_environment(), .draw = draw},
            .code_hash = code_hash};
}

inline RecordStore open_store(const std::string &path,
                              StoreAccess access = StoreAccess::read_write) {
    return RecordStore::open(path, access).value();
}

}  // namespace autoschedule_gpu
