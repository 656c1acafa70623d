// What `records VERB` does. Each prints what it found, or one line on stderr, and returns the exit
// status.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/command_line.h"
#include "lab/records/record_store.h"

namespace autoschedule_gpu {

struct RecordsOptions {
    std::string records;
    RecordFilter filter;
    bool failed = false, json = false, dry_run = false;
    std::string trace, out, samples, model;
    std::vector<std::string> others;
    std::optional<int64_t> keep;
    std::optional<double> older_than_days;
    std::string command;
};

int list_records(RecordStore &store, const RecordsOptions &options);
int show_best(RecordStore &store, const RecordsOptions &options);
int export_records(RecordStore &store, const RecordsOptions &options);
// The caller must have seen that each of `others` can be opened, before `store` was made.
int merge_records(RecordStore &store, const RecordsOptions &options);
int verify_records(RecordStore &store, const RecordsOptions &options);
int prune_records(RecordStore &store, const RecordsOptions &options);

inline constexpr FailureOf fail_records("records");

}  // namespace autoschedule_gpu
