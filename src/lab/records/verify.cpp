// Implements RecordStore::verify.
#include "lab/records/draw_rows.h"
#include "lab/records/record_rows.h"
#include "lab/records/record_store.h"

namespace autoschedule_gpu {

Result<std::vector<std::string>> RecordStore::verify() {
    std::vector<std::string> problems;
    const Status integrity = database_.visit("PRAGMA integrity_check", {}, [&](Statement &row) {
        const std::string said = row.next_text();
        if (said != "ok") problems.push_back(database_.error(said).message);
        return Status(Ok{});
    });
    if (!integrity) return integrity.error();
    const Status references = database_.visit("PRAGMA foreign_key_check", {}, [&](Statement &row) {
        problems.push_back(
            database_.error("a row of " + row.next_text() + " is of no record").message);
        return Status(Ok{});
    });
    if (!references) return references.error();
    const Status records =
        visit_rows(database_, {}, [&](int64_t, const Result<TuningRecord> &record) {
            if (!record) problems.push_back(record.error().message);
            return Status(Ok{});
        });
    if (!records) return records.error();
    const Status draws = visit_draws(database_, [&](const Result<KnownDraw> &draw) {
        if (!draw) problems.push_back(draw.error().message);
        return Status(Ok{});
    });
    if (!draws) return draws.error();
    return problems;
}

}  // namespace autoschedule_gpu
