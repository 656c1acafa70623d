#include "lab/records/draw_rows.h"

#include <map>
#include <optional>
#include <utility>

#include "lab/records/failure_columns.h"

namespace autoschedule_gpu {
namespace {

const std::string kOfDrawKey =
    " WHERE pipeline_hash = ? AND device = ? AND driver = ? AND gpu = ? AND halide = ?"
    " AND plugin = ? AND draw = ?";

// Reads the columns code_hash, failure_kind, _reason, _command and _output.
Result<Outcome<uint64_t>> next_outcome(Statement &row) {
    const std::optional<uint64_t> code_hash = row.next_hash_if_any();
    Result<std::optional<Failure>> failure = next_failure(row);
    if (!failure) return failure.error();
    if (code_hash.has_value() == failure->has_value()) {
        return Error{"expected a code_hash or a failure"};
    }
    if (code_hash) return Outcome<uint64_t>(*code_hash);
    return Outcome<uint64_t>(**failure);
}

Error damaged(const Database &database, const std::string &draw, const Error &error) {
    return database.error("the draw '" + draw + "' is damaged: " + error.message);
}

bool gives_way(const Outcome<uint64_t> &known, const Outcome<uint64_t> &found) {
    if (known || !is_provisional(known.error().kind)) return false;
    return found || !is_provisional(found.error().kind);
}

// By their hashes: draws have no more than those. Only such as the filter names.
Result<std::map<uint64_t, PipelineKey>> pipelines_of(Database &database,
                                                     const RecordFilter &filter) {
    std::map<uint64_t, PipelineKey> pipelines;
    const Status done = database.visit(
        "SELECT pipeline, size, pipeline_hash FROM records"
        " WHERE (?1 IS NULL OR pipeline = ?1) AND (?2 IS NULL OR size = ?2) ORDER BY id",
        {sql_value(filter.pipeline), sql_value(filter.size)}, [&](Statement &row) {
            PipelineKey key{
                .name = row.next_text(), .size = row.next_text(), .hash = row.next_hash()};
            pipelines.try_emplace(key.hash, std::move(key));
            return Status(Ok{});
        });
    if (!done) return done.error();
    return pipelines;
}

bool is_of_environment(const RecordFilter &filter, const Environment &environment) {
    const auto is = [](const std::optional<std::string> &wanted, const std::string &found) {
        return !wanted || *wanted == found;
    };
    return is(filter.device, environment.device) && is(filter.driver, environment.driver) &&
           is(filter.gpu, environment.gpu) && is(filter.halide, environment.halide);
}

}  // namespace

Status check(const KnownDraw &draw) {
    if (draw.key.draw.empty()) return Error{"expected the text of a draw, found an empty one"};
    if (draw.key.environment.device.empty()) return Error{"expected a device, found an empty one"};
    if (draw.code_hash && *draw.code_hash == 0) {
        return Error{"expected the hash of the device code, found 0"};
    }
    return Ok{};
}

Result<bool> insert_draw(Database &database, const KnownDraw &draw) {
    if (Status good = check(draw); !good) return Error{"a draw: " + good.error().message};
    const auto known = find_draw(database, draw.key);
    if (!known) return known.error();
    if (*known && !gives_way(**known, draw.code_hash)) return false;
    const Environment &environment = draw.key.environment;
    std::optional<int64_t> code_hash;
    if (draw.code_hash) code_hash = sql_hash(*draw.code_hash);
    const auto failure = failure_values(draw.code_hash ? nullptr : &draw.code_hash.error());
    const Result<int64_t> added = database.run(
        "REPLACE INTO draws(pipeline_hash, device, driver, gpu, halide, plugin, draw, code_hash,"
        " failure_kind, failure_reason, failure_command, failure_output)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        {sql_hash(draw.key.pipeline_hash), environment.device, environment.driver, environment.gpu,
         environment.halide, environment.plugin, draw.key.draw, sql_value(code_hash), failure[0],
         failure[1], failure[2], failure[3]});
    if (!added) return added.error();
    return true;
}

Result<std::optional<Outcome<uint64_t>>> find_draw(Database &database, const DrawKey &key) {
    const Environment &environment = key.environment;
    std::optional<Outcome<uint64_t>> found;
    const Status done = database.visit(
        "SELECT code_hash, failure_kind, failure_reason, failure_command, failure_output"
        " FROM draws" +
            kOfDrawKey,
        {sql_hash(key.pipeline_hash), environment.device, environment.driver, environment.gpu,
         environment.halide, environment.plugin, key.draw},
        [&](Statement &row) {
            const Result<Outcome<uint64_t>> outcome = next_outcome(row);
            if (!outcome) return Status(damaged(database, key.draw, outcome.error()));
            found = *outcome;
            return Status(Ok{});
        });
    if (!done) return done.error();
    return found;
}

Result<std::set<CandidateKey>> codes_drawn_as(Database &database, std::string_view draw) {
    std::set<CandidateKey> codes;
    const Status done = database.visit(
        "SELECT pipeline_hash, device, driver, gpu, halide, code_hash FROM draws"
        " WHERE draw = ? AND code_hash IS NOT NULL",
        {draw}, [&](Statement &row) {
            codes.insert({.pipeline_hash = row.next_hash(),
                          .device = row.next_text(),
                          .driver = row.next_text(),
                          .gpu = row.next_text(),
                          .halide = row.next_text(),
                          .code_hash = row.next_hash()});
            return Status(Ok{});
        });
    if (!done) return done.error();
    return codes;
}

Status visit_failed_draws(Database &database, const RecordFilter &filter,
                          const FailedDrawVisitor &each) {
    const auto pipelines = pipelines_of(database, filter);
    if (!pipelines) return pipelines.error();
    const bool any_pipeline = !filter.pipeline && !filter.size;
    return visit_draws(database, [&](const Result<KnownDraw> &draw) {
        if (!draw) return Status(draw.error());
        const DrawKey &key = draw->key;
        // What a run began with is noted as a draw, too, and is none.
        if (draw->code_hash || key.draw.starts_with(kStartOfRun)) return Status(Ok{});
        const bool is_hash = !filter.pipeline_hash || *filter.pipeline_hash == key.pipeline_hash;
        if (!is_hash || !is_of_environment(filter, key.environment)) return Status(Ok{});
        const auto pipeline = pipelines->find(key.pipeline_hash);
        const bool is_known = pipeline != pipelines->end();
        if (!is_known && !any_pipeline) return Status(Ok{});
        return each(
            {.pipeline = is_known ? pipeline->second : PipelineKey{.hash = key.pipeline_hash},
             .environment = key.environment,
             .draw = key.draw,
             .failure = draw->code_hash.error()});
    });
}

Status visit_draws(Database &database, const DrawVisitor &each) {
    return database.visit(
        "SELECT pipeline_hash, device, driver, gpu, halide, plugin, draw, code_hash, failure_kind,"
        " failure_reason, failure_command, failure_output FROM draws",
        {}, [&](Statement &row) {
            DrawKey key{.pipeline_hash = row.next_hash(),
                        .environment = {.device = row.next_text(),
                                        .driver = row.next_text(),
                                        .gpu = row.next_text(),
                                        .halide = row.next_text(),
                                        .plugin = row.next_text()},
                        .draw = row.next_text()};
            const Result<Outcome<uint64_t>> outcome = next_outcome(row);
            if (!outcome) return each(damaged(database, key.draw, outcome.error()));
            const KnownDraw draw{.key = std::move(key), .code_hash = *outcome};
            if (Status good = check(draw); !good) {
                return each(damaged(database, draw.key.draw, good.error()));
            }
            return each(draw);
        });
}

}  // namespace autoschedule_gpu
