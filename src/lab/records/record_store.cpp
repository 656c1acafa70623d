#include "lab/records/record_store.h"

#include <utility>

#include "lab/records/draw_rows.h"
#include "lab/records/record_rows.h"
#include "lab/records/schema.h"

namespace autoschedule_gpu {
namespace {

// What can't be read ends the visit.
RowVisitor row_visitor(const RecordVisitor &each) {
    return [&each](int64_t, const Result<TuningRecord> &record) {
        return record ? each(*record) : Status(record.error());
    };
}

}  // namespace

Result<RecordStore> RecordStore::open(const std::string &path, StoreAccess access) {
    Result<Database> database = open_records(path, access);
    if (!database) return database.error();
    return RecordStore(std::move(database).value());
}

Result<bool> RecordStore::add(const TuningRecord &record) {
    return database_.write([&] { return insert_record(database_, record); });
}

Status RecordStore::replace(const TuningRecord &record) {
    return database_.write([&] { return replace_record(database_, record); });
}

Result<std::optional<TuningRecord>> RecordStore::find(const CandidateKey &key) {
    return database_.read([&] { return find_record(database_, key); });
}

Status RecordStore::visit(const RecordFilter &filter, const RecordVisitor &each) {
    return database_.read([&] { return visit_rows(database_, filter, row_visitor(each)); });
}

Status RecordStore::visit_twice(const RecordFilter &filter, const RecordVisitor &first,
                                const RecordVisitor &second) {
    return database_.read([&] {
        const Status visited = visit_rows(database_, filter, row_visitor(first));
        return visited ? visit_rows(database_, filter, row_visitor(second)) : visited;
    });
}

Result<std::vector<TuningRecord>> RecordStore::list(const RecordFilter &filter) {
    std::vector<TuningRecord> records;
    const Status visited = visit(filter, [&](const TuningRecord &record) {
        records.push_back(record);
        return Status(Ok{});
    });
    if (!visited) return visited.error();
    return records;
}

Result<RecordCounts> RecordStore::counts() {
    RecordCounts counts;
    const Status counted = database_.visit(
        "SELECT count(*), failure_kind FROM records GROUP BY failure_kind", {},
        [&](Statement &row) {
            const int64_t count = row.next_integer();
            const std::optional<std::string> name = row.next_text_if_any();
            if (!name) {
                counts.measured = count;
                return Status(Ok{});
            }
            const std::optional<FailureKind> kind = find_failure_kind(*name);
            if (!kind) {
                return Status(database_.error("expected a kind of failure, found '" + *name + "'"));
            }
            counts.failed[*kind] = count;
            return Status(Ok{});
        });
    if (!counted) return counted.error();
    return counts;
}

Status RecordStore::add_samples(const CandidateKey &key, const std::string &comparison,
                                std::span<const double> samples_ms) {
    return database_.write(
        [&] { return replace_comparison(database_, key, comparison, samples_ms); });
}

Status RecordStore::set_failed(const CandidateKey &key, const Failure &failure,
                               const Tolerance &tolerance) {
    return database_.write([&] { return add_failure(database_, key, failure, tolerance); });
}

Result<bool> RecordStore::note_draw(const KnownDraw &draw) {
    return database_.write([&] { return insert_draw(database_, draw); });
}

Status RecordStore::visit_failed_draws(const RecordFilter &filter, const FailedDrawVisitor &each) {
    return database_.read(
        [&] { return autoschedule_gpu::visit_failed_draws(database_, filter, each); });
}

Result<std::optional<Outcome<uint64_t>>> RecordStore::find_draw(const DrawKey &key) {
    return autoschedule_gpu::find_draw(database_, key);
}

}  // namespace autoschedule_gpu
