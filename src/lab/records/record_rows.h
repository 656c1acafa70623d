// Records as rows of the tables `records` and `samples`. Nothing here begins or ends a transaction.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "lab/records/database.h"
#include "lab/records/record_filter.h"
#include "lab/records/tuning_record.h"

namespace autoschedule_gpu {

// False if there is an outcome of that candidate already; a provisional one (is_provisional) gives
// way to one that is not. An error if check(record) has one.
Result<bool> insert_record(Database &database, const TuningRecord &record);

// Calls `each` with the id of a row and its record, in the order of the ids, or with what is wrong
// with the row, until it fails.
using RowVisitor = std::function<Status(int64_t id, const Result<TuningRecord> &)>;
Status visit_rows(Database &database, const RecordFilter &filter, const RowVisitor &each);

Result<std::optional<TuningRecord>> find_record(Database &database, const CandidateKey &key);
Result<std::optional<TuningRecord>> find_record(Database &database, int64_t id);
// The measured one with the least median; of several, the first that was added.
Result<std::optional<TuningRecord>> find_fastest(Database &database, uint64_t pipeline_hash,
                                                 const DeviceFilter &filter);

// Errors if there is no such record, or if the result would not pass check().
Status append_samples(Database &database, const CandidateKey &key, const std::string &comparison,
                      std::span<const double> samples_ms);
Status replace_by_failure(Database &database, const CandidateKey &key, const Failure &failure);

}  // namespace autoschedule_gpu
