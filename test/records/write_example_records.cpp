// Writes a file of records as a tuner would leave it, of a device that does not exist.
// usage: write_example_records FILE [RECORDS_MORE]
#include <iostream>
#include <string>

#include "lab/samples/featurization.h"
#include "unit/lab/records/example_records.h"
#include "unit/lab/samples/example_samples.h"

namespace {

using namespace autoschedule_gpu;

TuningRecord tuned(uint64_t code_hash, double ms, const std::string &found_by) {
    TuningRecord record = example_record(code_hash, ms);
    record.environment.feature_schema = feature_schema_hash();
    record.features = featurization_bytes(std::vector{example_table(10, 1)}).value();
    record.found_by = found_by;
    // So many that it is no luck to be faster.
    record.samples_ms = {0.98 * ms, 0.99 * ms, ms, ms, ms, 1.01 * ms, 1.02 * ms};
    return record;
}

Status write_examples(RecordStore &store, uint64_t more) {
    TuningRecord old = tuned(3, 6, "genetic 3");
    old.recorded_at = "2001-01-01T00:00:00Z";
    TuningRecord of_cpu = example_record(0x11, 30);
    of_cpu.pipeline = {.name = "app:unsharp", .size = "full", .hash = 2};
    of_cpu.environment.device = "opencl: cpu";
    for (const TuningRecord &record :
         {tuned(1, 8, kFoundByDefault), tuned(2, 4, "strategy=beam seed=5"), old,
          failed_record(4, FailureKind::wrong_output), of_cpu}) {
        if (const auto added = store.add(record); !added) return added.error();
    }
    for (uint64_t i = 0; i < more; ++i) {
        const auto added = store.add(example_record(100 + i, 10));
        if (!added) return added.error();
    }
    const auto noted = store.note_draw(example_draw("seed=5", uint64_t{2}));
    if (!noted) return noted.error();
    return Ok{};
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    RecordStore store = open_store(argv[1]);
    const Status done = write_examples(store, argc > 2 ? std::stoull(argv[2]) : 0);
    if (!done) std::cerr << done.error().message << "\n";
    return done ? 0 : 1;
}
