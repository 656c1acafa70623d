// Samples in a file: a log that grows at its end. The layout is in weights/README.md: a file
// header, a record with the origin, and a record per sample.
//
//     collect ─► append_samples ─► FILE.samples ─► read_samples ─► train
//
// A writer that is killed leaves at most one record that is cut short, at the end: a torn record.
// Reading leaves it out and says how long it is; the next append removes it. Any other damage is an
// error that says how many records before it are whole. Several processes may append to one file at
// a time, and others read it: a record that is being written counts as torn.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/support/error.h"
#include "lab/samples/sample.h"

namespace autoschedule_gpu {

struct SampleFile {
    SampleOrigin origin;
    std::vector<Sample> samples;
    uint64_t torn_bytes = 0;  // the length of a last record that was left out
};

// Returns false for a file that does not exist, is empty, or ends within its first record, as a
// writer that was killed leaves it: it holds nothing, and append_samples begins it anew. Of what
// comes after the first record nothing is read.
Result<bool> has_begun(const std::string &path);

// Adds all the samples or none. If the file has not begun, it is created with `origin` as its first
// record; otherwise the file keeps its own origin. Returns an error for a file whose features are
// of another list, device or GpuModel, a damaged file, and a sample that sample.h does not allow.
// Visits every record of the file, so hand over many samples at a time.
Status append_samples(const std::string &path, const SampleOrigin &origin,
                      std::span<const Sample> samples);

// Returns features as float32 holds them and times as they were. What a file of an earlier list of
// features lacks is 0. Errors begin with the path and name the record (the origin is record 0),
// what was expected and what was found.
Result<SampleFile> read_samples(const std::string &path);

}  // namespace autoschedule_gpu
