// Implements RecordStore::merge_from.
#include <filesystem>

#include "lab/records/draw_rows.h"
#include "lab/records/record_rows.h"
#include "lab/records/record_store.h"
#include "lab/records/schema.h"

namespace autoschedule_gpu {
namespace {

bool same_outcome(const TuningRecord &a, const TuningRecord &b) {
    if (a.failure && b.failure) return a.failure->kind == b.failure->kind;
    return a.failure.has_value() == b.failure.has_value();
}

// A candidate keeps its first measurement, but who wins depends on all finals that it was in.
Status add_comparisons(Database &ours, const TuningRecord &known, const TuningRecord &record) {
    if (known.failure) return Ok{};
    for (const auto &[name, times_ms] : record.compared_ms) {
        if (known.compared_ms.contains(name)) continue;
        const Status added = replace_comparison(ours, key_of(known), name, times_ms);
        if (!added) return added;
    }
    return Ok{};
}

Status merge_record(Database &ours, const TuningRecord &record, MergeCounts &counts) {
    const Result<bool> added = insert_record(ours, record);
    if (!added) return added.error();
    if (*added) {
        ++counts.added;
        return Ok{};
    }
    const Result<std::optional<TuningRecord>> known = find_record(ours, key_of(record));
    if (!known) return known.error();
    ++(same_outcome(**known, record) ? counts.known : counts.conflicting);
    return add_comparisons(ours, **known, record);
}

Result<MergeCounts> merge(Database &ours, Database &theirs) {
    MergeCounts counts;
    const Status records = visit_rows(theirs, {}, [&](int64_t, const Result<TuningRecord> &record) {
        return record ? merge_record(ours, *record, counts) : Status(record.error());
    });
    if (!records) return records.error();
    const Status draws = visit_draws(theirs, [&](const Result<KnownDraw> &draw) {
        if (!draw) return Status(draw.error());
        const Result<bool> added = insert_draw(ours, *draw);
        if (!added) return Status(added.error());
        if (*added) ++counts.draws_added;
        return Status(Ok{});
    });
    if (!draws) return draws.error();
    return counts;
}

}  // namespace

Result<MergeCounts> RecordStore::merge_from(const std::string &path) {
    std::error_code ignored;
    if (std::filesystem::equivalent(path, database_.path(), ignored)) {
        return database_.error("expected another file to merge from, found the same");
    }
    Result<Database> theirs = open_records(path, StoreAccess::read_only);
    if (!theirs) return theirs.error();
    Database other = std::move(theirs).value();
    return database_.write([&] { return other.read([&] { return merge(database_, other); }); });
}

}  // namespace autoschedule_gpu
