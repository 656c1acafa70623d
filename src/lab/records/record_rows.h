// Stores records as rows of the tables `records` and `samples`. Nothing here begins or ends a
// transaction.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "lab/records/database.h"
#include "lab/records/record_filter.h"
#include "lab/records/tuning_record.h"

namespace autoschedule_gpu {

// Returns false if the candidate has an outcome already, unless that is provisional
// (is_provisional) and the new one is not. Returns an error if check(record) does.
Result<bool> insert_record(Database &database, const TuningRecord &record);

// Puts the record in place of the one of its candidate, whatever that says. Returns an error if
// there is none, or if check(record) does.
Status replace_record(Database &database, const TuningRecord &record);

// Calls `each` with the id of a row and its record, or with what is wrong with the row, in the
// order of the ids, until it returns an error.
using RowVisitor = std::function<Status(int64_t id, const Result<TuningRecord> &)>;
Status visit_rows(Database &database, const RecordFilter &filter, const RowVisitor &each);

Result<std::optional<TuningRecord>> find_record(Database &database, const CandidateKey &key);
Result<std::optional<TuningRecord>> find_record(Database &database, int64_t id);

// Both return an error if there is no such record, or if the result would not pass check().
Status replace_comparison(Database &database, const CandidateKey &key,
                          const std::string &comparison, std::span<const double> samples_ms);
Status add_failure(Database &database, const CandidateKey &key, const Failure &failure,
                   const Tolerance &tolerance);

}  // namespace autoschedule_gpu
