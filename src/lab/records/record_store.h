// The tuner's memory: it keeps what became of every candidate that was ever tried, in one SQLite
// file.
//
//     tuners, workers ─► add, note_draw ─► FILE.records ─► list, best_records.h ─► tuner, plugin,
//     tools
//
// What a call has written when it returns survives any end of the process, kill -9 included; a call
// that is cut off has written all or nothing. Several processes may have the file open at a time,
// each with a store of its own. One thread may use a store at a time, and it must not be used
// across fork(). Errors begin with the path. README.md in this folder documents the tables.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/records/database.h"
#include "lab/records/known_draw.h"
#include "lab/records/record_filter.h"
#include "lab/records/tuning_record.h"

namespace autoschedule_gpu {

struct RecordCounts {
    int64_t measured = 0;
    std::map<FailureKind, int64_t> failed = {};  // only kinds that occur
};

struct MergeCounts {
    int64_t added = 0;        // includes provisional outcomes that were replaced
    int64_t known = 0;        // here already, with the same outcome
    int64_t conflicting = 0;  // here already, with another outcome, which was kept
    int64_t draws_added = 0;
};

enum class FailedRecords : uint8_t { keep, drop };

// A record is removed if any of the fields says so. The champions (best_records.h) are always kept,
// and so is every measured one that kFoundByDefault found.
struct PruneRule {
    // How many measured ones of each pipeline and environment are kept.
    std::optional<int64_t> keep_fastest = {};
    FailedRecords failed = FailedRecords::keep;       // drop: failed draws are removed as well
    std::optional<std::string> recorded_before = {};  // a time as by utc_text
};

using RecordVisitor = std::function<Status(const TuningRecord &)>;

class RecordStore {
public:
    // Opens the file; read_write creates it if necessary. Returns an error, with what was expected
    // and found, for a file that is not SQLite's, belongs to another application, is of a newer
    // version, or is damaged.
    static Result<RecordStore> open(const std::string &path, StoreAccess access);

    const std::string &path() const { return database_.path(); }

    // Returns false if the candidate has an outcome already, which is kept unless it is provisional
    // (is_provisional) and the new one is not. Returns an error if check(record) does.
    Result<bool> add(const TuningRecord &record);
    // Puts an outcome in place of the candidate's, which does not count where the new one was found
    // (counts_within). Returns an error if there is none, or if check(record) does.
    Status replace(const TuningRecord &record);
    Result<std::optional<TuningRecord>> find(const CandidateKey &key);

    // Visits the records in the order in which they were added. `each` must not use the store; its
    // error ends the visit.
    Status visit(const RecordFilter &filter, const RecordVisitor &each);
    // Visits them all by `first`, and then the same once more by `second`, whatever others write
    // meanwhile.
    Status visit_twice(const RecordFilter &filter, const RecordVisitor &first,
                       const RecordVisitor &second);
    Result<std::vector<TuningRecord>> list(const RecordFilter &filter = {});
    // Returns how many records there are by outcome.
    Result<RecordCounts> counts();

    // Adds the samples of a later measurement, which has a name (TuningRecord::compared_ms), in
    // place of those of an earlier one of that name, which was cut off before it was complete.
    // Returns an error if the candidate has no measured record.
    Status add_samples(const CandidateKey &key, const std::string &comparison,
                       std::span<const double> samples_ms);
    // Records that a candidate failed in a later run, which had that tolerance. It counts as failed
    // from now on; its samples stay. Returns an error if it has no record.
    Status set_failed(const CandidateKey &key, const Failure &failure,
                      const Tolerance &tolerance = {});

    // Returns false if that draw is known; its outcome is kept unless it is provisional. Returns an
    // error if check(draw) does.
    Result<bool> note_draw(const KnownDraw &draw);
    Result<std::optional<Outcome<uint64_t>>> find_draw(const DrawKey &key);

    // Visits the draws that led to no code, of which there is no record, therefore. Of the filter,
    // the pipeline and the environment count.
    Status visit_failed_draws(const RecordFilter &filter, const FailedDrawVisitor &each);

    // Adds all records and draws of another file in one transaction; to records that are here
    // already, the comparisons that they have not been in. Jobs are not copied.
    Result<MergeCounts> merge_from(const std::string &path);

    // Calls `each` with the records that prune() would remove under the rule.
    Status visit_prunable(const PruneRule &rule, const RecordVisitor &each);
    Status prune(const PruneRule &rule);

    // Checks the file by SQLite's own checks, and its rows by today's rules. Returns a sentence for
    // each thing that is wrong; none if all is well.
    Result<std::vector<std::string>> verify();

    // Gives access to what else is kept in the file (work_queue.h).
    Database &database() { return database_; }

private:
    explicit RecordStore(Database database) : database_(std::move(database)) {}

    Database database_;
};

}  // namespace autoschedule_gpu
