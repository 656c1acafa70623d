// Records of the tuner in other formats: measurements to be replayed, samples to train from.
#pragma once

#include <string>

#include "lab/records/record_store.h"

namespace autoschedule_gpu {

struct ExportCounts {
    int64_t written = 0;
    int64_t left_out = 0;
};

// Writes measurements for a replay (lab/run/replay.h) over what is there. `out` is a file for
// records of one device, or an existing folder, which gets DEVICE.jsonl for each. An application
// goes by its own name
// ("harris" for "app:harris"). Left out: provisional failures, which say nothing of the candidate.
Result<ExportCounts> export_measurements(RecordStore &store, const RecordFilter &filter,
                                         const std::string &out);

// Appends what was measured to a file of samples (lab/samples/sample_file.h). The records must be
// of one device. `gpu` is that for which the features were computed, as the plugin takes it; empty:
// what the records name. `command` is kept in a new file. Left out: records without features, or
// with features of another list.
Result<ExportCounts> export_samples(RecordStore &store, const RecordFilter &filter,
                                    const std::string &gpu, const std::string &command,
                                    const std::string &path);

}  // namespace autoschedule_gpu
