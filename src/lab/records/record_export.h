// Exports records of the tuner in other formats: measurements to be replayed, samples to train
// from.
#pragma once

#include <string>

#include "lab/records/record_store.h"

namespace autoschedule_gpu {

struct ExportCounts {
    int64_t written = 0;
    int64_t left_out = 0;
};

// Writes measurements for a replay (lab/run/replay.h), replacing what is there. `out` is a file for
// records of one device, or an existing folder, which gets a file DEVICE.jsonl for each device. An
// application gets its own name ("harris" for "app:harris"). Records of one device must be of one
// driver, GPU and Halide, for a replay knows candidates by their code alone. Provisional failures
// are left out, because they say nothing about the candidate.
Result<ExportCounts> export_measurements(RecordStore &store, const RecordFilter &filter,
                                         const std::string &out);

// Appends the measured records, which must be of one device, driver and Halide, to a file of
// samples (lab/samples/sample_file.h). `gpu` is the device for which the features were computed, as
// the plugin takes it; if it is empty, the records' own is used, which must be one. A new file
// keeps `command`. Records without features, or with features of another list, are left out.
// Nothing is written if one of the records can't be a sample beside the others, unless it is added
// meanwhile.
Result<ExportCounts> export_samples(RecordStore &store, const RecordFilter &filter,
                                    const std::string &gpu, const std::string &command,
                                    const std::string &path);

}  // namespace autoschedule_gpu
