#include "lab/records/record_rows.h"

#include <utility>

#include "core/support/hex.h"
#include "lab/records/failure_columns.h"

namespace autoschedule_gpu {
namespace {

// The columns are in the order in which next_record reads them.
const std::string kSelect = R"sql(
SELECT id, median_ms, pipeline, size, pipeline_hash, device, driver, gpu, halide, plugin,
    feature_schema, code_hash, found_by, session, trace, decisions, features, predicted_ms,
    registers, spill_bytes, recorded_at, failure_kind, failure_reason, failure_command,
    failure_output, float_tolerance, integer_steps
FROM records )sql";

constexpr const char *kInsert = R"sql(
INSERT INTO records(median_ms, pipeline, size, pipeline_hash, device, driver, gpu, halide, plugin,
    feature_schema, code_hash, found_by, session, trace, decisions, features, predicted_ms,
    registers, spill_bytes, recorded_at, failure_kind, failure_reason, failure_command,
    failure_output, float_tolerance, integer_steps)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
RETURNING id)sql";

const std::string kOfRecordKey =
    "WHERE pipeline_hash = ? AND device = ? AND driver = ? AND gpu = ? AND halide = ?"
    " AND code_hash = ?";

const std::string kOfFilter = R"sql(
WHERE (?1 IS NULL OR pipeline = ?1) AND (?2 IS NULL OR size = ?2)
    AND (?3 IS NULL OR pipeline_hash = ?3) AND (?4 IS NULL OR device = ?4)
    AND (?5 IS NULL OR driver = ?5) AND (?6 IS NULL OR gpu = ?6) AND (?7 IS NULL OR halide = ?7)
    AND (?8 IS NULL OR (failure_kind IS NOT NULL) = ?8) AND (?9 IS NULL OR session <> ?9)
ORDER BY id)sql";

// Reads the samples; those of the first measurement have the name "".
Status read_samples(Database &database, int64_t id, TuningRecord &record) {
    return database.visit(
        "SELECT comparison, ms FROM samples WHERE record = ? ORDER BY comparison, number", {id},
        [&](Statement &row) {
            const std::string comparison = row.next_text();
            const double ms = row.next_real();
            (comparison.empty() ? record.samples_ms : record.compared_ms[comparison]).push_back(ms);
            return Status(Ok{});
        });
}

// Reads the columns after `id`.
Result<TuningRecord> next_record(Database &database, int64_t id, Statement &row) {
    const std::optional<double> median = row.next_real_if_any();
    TuningRecord record{
        .pipeline = {.name = row.next_text(), .size = row.next_text(), .hash = row.next_hash()},
        .environment = {.device = row.next_text(),
                        .driver = row.next_text(),
                        .gpu = row.next_text(),
                        .halide = row.next_text(),
                        .plugin = row.next_text(),
                        .feature_schema = row.next_hash()},
        .code_hash = row.next_hash(),
        .found_by = row.next_text(),
        .session = row.next_text(),
        .trace = row.next_text(),
        .decisions = row.next_text(),
        .features = row.next_text(),
        .predicted_ms = row.next_real_if_any(),
        .registers = row.next_integer_if_any(),
        .spill_bytes = row.next_integer_if_any(),
        .recorded_at = row.next_text()};
    Result<std::optional<Failure>> failure = next_failure(row);
    if (!failure) return failure.error();
    record.failure = *failure;
    record.verified = !record.failure;
    record.tolerance.relative = row.next_real_if_any();
    record.tolerance.integer_steps = row.next_integer();
    if (Status read = read_samples(database, id, record); !read) return read.error();
    if (Status good = check(record); !good) return good.error();
    if (median != median_ms(record)) {
        return Error{"expected the median of its samples as median_ms, found another number"};
    }
    return record;
}

Error in_row(const Database &database, int64_t id, const Error &error) {
    return database.error("record " + std::to_string(id) + " is damaged: " + error.message);
}

// Returns the record of the first row, if there is one; an error if the row is damaged.
Result<std::optional<TuningRecord>> find_first(Database &database, const std::string &condition,
                                               SqlValues values) {
    std::optional<TuningRecord> found;
    const Status done = database.visit(kSelect + condition + " LIMIT 1", values, [&](auto &row) {
        const int64_t id = row.next_integer();
        Result<TuningRecord> record = next_record(database, id, row);
        if (!record) return Status(in_row(database, id, record.error()));
        found = std::move(record).value();
        return Status(Ok{});
    });
    if (!done) return done.error();
    return found;
}

struct KnownRow {
    int64_t id = 0;
    std::optional<Failure> failure = {};
};

Result<std::optional<KnownRow>> find_row(Database &database, const CandidateKey &key) {
    std::optional<KnownRow> found;
    const Status done = database.visit(
        "SELECT id, failure_kind, failure_reason, failure_command, failure_output FROM records " +
            kOfRecordKey,
        {sql_hash(key.pipeline_hash), key.device, key.driver, key.gpu, key.halide,
         sql_hash(key.code_hash)},
        [&](Statement &row) {
            const int64_t id = row.next_integer();
            const Result<std::optional<Failure>> failure = next_failure(row);
            if (!failure) return Status(in_row(database, id, failure.error()));
            found = KnownRow{.id = id, .failure = *failure};
            return Status(Ok{});
        });
    if (!done) return done.error();
    return found;
}

// Returns the row of a record that must exist; an error if it does not.
Result<KnownRow> row_of(Database &database, const CandidateKey &key) {
    const Result<std::optional<KnownRow>> row = find_row(database, key);
    if (!row) return row.error();
    if (*row) return **row;
    return database.error("expected a record of the candidate with the code " +
                          to_hex(key.code_hash) + ", found none");
}

Status insert_samples(Database &database, int64_t id, const std::string &comparison,
                      std::span<const double> samples) {
    int64_t number = 0;
    for (const double ms : samples) {
        const auto added =
            database.run("INSERT INTO samples(record, comparison, number, ms) VALUES (?, ?, ?, ?)",
                         {id, comparison, number++, ms});
        if (!added) return added.error();
    }
    return Ok{};
}

Status insert_all_samples(Database &database, int64_t id, const TuningRecord &record) {
    if (Status added = insert_samples(database, id, "", record.samples_ms); !added) return added;
    for (const auto &[comparison, times_ms] : record.compared_ms) {
        if (Status added = insert_samples(database, id, comparison, times_ms); !added) return added;
    }
    return Ok{};
}

Result<int64_t> insert_row(Database &database, const TuningRecord &record) {
    const PipelineKey &pipeline = record.pipeline;
    const Environment &environment = record.environment;
    const auto failure = failure_values(record.failure ? &*record.failure : nullptr);
    return database.integer(kInsert, {sql_value(median_ms(record)),
                                      pipeline.name,
                                      pipeline.size,
                                      sql_hash(pipeline.hash),
                                      environment.device,
                                      environment.driver,
                                      environment.gpu,
                                      environment.halide,
                                      environment.plugin,
                                      sql_hash(environment.feature_schema),
                                      sql_hash(record.code_hash),
                                      record.found_by,
                                      record.session,
                                      record.trace,
                                      record.decisions,
                                      SqlBlob{record.features},
                                      sql_value(record.predicted_ms),
                                      sql_value(record.registers),
                                      sql_value(record.spill_bytes),
                                      record.recorded_at,
                                      failure[0],
                                      failure[1],
                                      failure[2],
                                      failure[3],
                                      sql_value(record.tolerance.relative),
                                      record.tolerance.integer_steps});
}

// Its samples go with it.
Status remove_row(Database &database, int64_t id) {
    const Result<int64_t> removed = database.run("DELETE FROM records WHERE id = ?", {id});
    if (!removed) return removed.error();
    return Ok{};
}

Status check_record(const TuningRecord &record) {
    if (Status good = check(record); !good) return Error{"a record: " + good.error().message};
    return Ok{};
}

Status insert_with_samples(Database &database, const TuningRecord &record) {
    const Result<int64_t> id = insert_row(database, record);
    if (!id) return id.error();
    return insert_all_samples(database, *id, record);
}

}  // namespace

Result<bool> insert_record(Database &database, const TuningRecord &record) {
    if (Status good = check_record(record); !good) return good.error();
    const Result<std::optional<KnownRow>> known = find_row(database, key_of(record));
    if (!known) return known.error();
    if (*known) {
        const auto &row = **known;
        const bool gives_way = row.failure && is_provisional(row.failure->kind) &&
                               !(record.failure && is_provisional(record.failure->kind));
        if (!gives_way) return false;
        if (Status removed = remove_row(database, row.id); !removed) return removed.error();
    }
    if (Status added = insert_with_samples(database, record); !added) return added.error();
    return true;
}

Status replace_record(Database &database, const TuningRecord &record) {
    if (Status good = check_record(record); !good) return good;
    const Result<KnownRow> row = row_of(database, key_of(record));
    if (!row) return row.error();
    if (Status removed = remove_row(database, row->id); !removed) return removed;
    return insert_with_samples(database, record);
}

Status visit_rows(Database &database, const RecordFilter &filter, const RowVisitor &each) {
    std::optional<int64_t> failed;
    if (filter.outcome) failed = *filter.outcome == RecordOutcome::failed;
    std::optional<int64_t> pipeline_hash;
    if (filter.pipeline_hash) pipeline_hash = sql_hash(*filter.pipeline_hash);
    return database.visit(
        kSelect + kOfFilter,
        {sql_value(filter.pipeline), sql_value(filter.size), sql_value(pipeline_hash),
         sql_value(filter.device), sql_value(filter.driver), sql_value(filter.gpu),
         sql_value(filter.halide), sql_value(failed), sql_value(filter.not_of_session)},
        [&](Statement &row) {
            const int64_t id = row.next_integer();
            const Result<TuningRecord> record = next_record(database, id, row);
            if (!record) return each(id, in_row(database, id, record.error()));
            if (filter.tolerance && !counts_within(*record, *filter.tolerance)) return Status(Ok{});
            return each(id, record);
        });
}

Result<std::optional<TuningRecord>> find_record(Database &database, const CandidateKey &key) {
    return find_first(database, kOfRecordKey,
                      {sql_hash(key.pipeline_hash), key.device, key.driver, key.gpu, key.halide,
                       sql_hash(key.code_hash)});
}

Result<std::optional<TuningRecord>> find_record(Database &database, int64_t id) {
    return find_first(database, "WHERE id = ?", {id});
}

Status replace_comparison(Database &database, const CandidateKey &key,
                          const std::string &comparison, std::span<const double> samples_ms) {
    const Result<KnownRow> row = row_of(database, key);
    if (!row) return row.error();
    Result<std::optional<TuningRecord>> found = find_record(database, row->id);
    if (!found) return found.error();
    TuningRecord record = std::move(**found);
    if (record.failure) {
        return database.error(
            "expected a record of a candidate that has not failed, found one with " +
            std::string(to_string(record.failure->kind)));
    }
    record.compared_ms[comparison].assign(samples_ms.begin(), samples_ms.end());
    if (Status good = check(record); !good) return database.error(good.error().message);
    const auto removed = database.run("DELETE FROM samples WHERE record = ? AND comparison = ?",
                                      {row->id, comparison});
    if (!removed) return removed.error();
    const Status added = insert_samples(database, row->id, comparison, samples_ms);
    if (!added) return added;
    const auto updated = database.run("UPDATE records SET median_ms = ? WHERE id = ?",
                                      {sql_value(median_ms(record)), row->id});
    if (!updated) return updated.error();
    return Ok{};
}

Status add_failure(Database &database, const CandidateKey &key, const Failure &failure,
                   const Tolerance &tolerance) {
    const Result<KnownRow> row = row_of(database, key);
    if (!row) return row.error();
    const auto values = failure_values(&failure);
    const auto updated = database.run(
        "UPDATE records SET median_ms = NULL, failure_kind = ?, failure_reason = ?,"
        " failure_command = ?, failure_output = ?, float_tolerance = ?, integer_steps = ?"
        " WHERE id = ?",
        {values[0], values[1], values[2], values[3], sql_value(tolerance.relative),
         tolerance.integer_steps, row->id});
    if (!updated) return updated.error();
    return Ok{};
}

}  // namespace autoschedule_gpu
