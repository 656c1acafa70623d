#include "lab/records/draw_rows.h"

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
