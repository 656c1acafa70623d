// Implements RecordStore::visit_prunable and prune.
#include <set>

#include "lab/records/best_records.h"
#include "lab/records/draw_rows.h"
#include "lab/records/record_rows.h"
#include "lab/records/record_store.h"

namespace autoschedule_gpu {
namespace {

// Only measured records have ranks. A condition on a NULL, such as a failure's rank, is not true.
constexpr const char *kPrunable = R"sql(
WITH ranked AS (
    SELECT id, recorded_at, found_by, CASE WHEN median_ms IS NOT NULL THEN row_number() OVER (
        PARTITION BY pipeline_hash, device, driver, gpu, halide, median_ms IS NULL
        ORDER BY median_ms, id) END AS rank
    FROM records)
SELECT id FROM ranked
WHERE (rank > ?1 OR (rank IS NULL AND ?2) OR recorded_at < ?3)
    AND (rank IS NULL OR found_by <> ?4)
ORDER BY id)sql";

Result<std::vector<int64_t>> prunable(Database &database, const PruneRule &rule) {
    const Result<std::vector<Champion>> champions = find_champions(database, {});
    if (!champions) return champions.error();
    std::set<int64_t> kept;
    for (const Champion &champion : *champions) kept.insert(champion.id);
    // Code that the schedule without tuning was found to have is its, whoever found it first.
    const Result<std::set<CandidateKey>> by_default = codes_drawn_as(database, kFoundByDefault);
    if (!by_default) return by_default.error();
    RecordFilter measured;
    measured.outcome = RecordOutcome::measured;
    const Status visited =
        visit_rows(database, measured, [&](int64_t id, const Result<TuningRecord> &record) {
            if (record && by_default->contains(key_of(*record))) kept.insert(id);
            return record ? Status(Ok{}) : Status(record.error());
        });
    if (!visited) return visited.error();
    std::vector<int64_t> ids;
    const Status found =
        database.visit(kPrunable,
                       {sql_value(rule.keep_fastest), int64_t{rule.failed == FailedRecords::drop},
                        sql_value(rule.recorded_before), std::string_view(kFoundByDefault)},
                       [&](Statement &row) {
                           const int64_t id = row.next_integer();
                           if (!kept.contains(id)) ids.push_back(id);
                           return Status(Ok{});
                       });
    if (!found) return found.error();
    return ids;
}

}  // namespace

Status RecordStore::visit_prunable(const PruneRule &rule, const RecordVisitor &each) {
    return database_.read([&]() -> Status {
        const Result<std::vector<int64_t>> ids = prunable(database_, rule);
        if (!ids) return ids.error();
        for (const int64_t id : *ids) {
            const Result<std::optional<TuningRecord>> record = find_record(database_, id);
            if (!record) return record.error();
            if (Status done = each(**record); !done) return done;
        }
        return Ok{};
    });
}

Status RecordStore::prune(const PruneRule &rule) {
    const Status pruned = database_.write([&]() -> Status {
        const Result<std::vector<int64_t>> ids = prunable(database_, rule);
        if (!ids) return ids.error();
        for (const int64_t id : *ids) {
            const auto removed = database_.run("DELETE FROM records WHERE id = ?", {id});
            if (!removed) return removed.error();
        }
        if (rule.failed == FailedRecords::keep) return Ok{};
        // That a run began with nothing is no failure.
        const auto draws = database_.run(
            "DELETE FROM draws WHERE failure_kind IS NOT NULL AND substr(draw, 1, ?1) <> ?2",
            {static_cast<int64_t>(kStartOfRun.size()), kStartOfRun});
        if (!draws) return draws.error();
        return Ok{};
    });
    if (!pruned) return pruned;
    // SQLite keeps the room of what was removed, unless it writes the file anew. Where another
    // process reads it, it stays as large as it is: what was removed is removed.
    (void)database_.run("VACUUM");
    return Ok{};
}

}  // namespace autoschedule_gpu
