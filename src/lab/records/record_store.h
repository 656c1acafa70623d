// The tuner's memory: what became of every candidate that was ever tried, in one SQLite file.
//
//     tuners, workers ─► add, note_draw ─► FILE.records ─► best, list ─► tuner, plugin, tools
//
// What a call has written when it returns survives the end of the process in whatever way, kill -9
// included; a call that is cut off has written all or nothing. Several processes may have the file
// open at a time, each with a store of its own. A store is for one thread at a time and is not to
// be used across fork(). Errors begin with the path. README.md in this folder has the tables.
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
    std::map<FailureKind, int64_t> failed = {};  // kinds that occur
};

struct MergeCounts {
    int64_t added = 0;        // a provisional outcome that gave way counts, too
    int64_t known = 0;        // with the same outcome
    int64_t conflicting = 0;  // with another outcome; ours was kept
    int64_t draws_added = 0;
};

enum class FailedRecords : uint8_t { keep, drop };

// A record goes if any of these says so; never the fastest of its pipeline and environment, and no
// measured one that kFoundByDefault found.
struct PruneRule {
    std::optional<int64_t> keep_fastest = {};  // of the measured ones of a pipeline and environment
    FailedRecords failed = FailedRecords::keep;       // drop: failed draws go as well
    std::optional<std::string> recorded_before = {};  // utc_text
};

using RecordVisitor = std::function<Status(const TuningRecord &)>;

class RecordStore {
public:
    // read_write makes a file that is not there. Refused, with what was expected and found: a file
    // that is not SQLite's, another application's, of a newer version, or damaged.
    static Result<RecordStore> open(const std::string &path, StoreAccess access);

    const std::string &path() const { return database_.path(); }

    // False if the candidate has an outcome already, which is kept; but a provisional one
    // (is_provisional) gives way to one that is not. An error if check(record) has one.
    Result<bool> add(const TuningRecord &record);
    Result<std::optional<TuningRecord>> find(const CandidateKey &key);
    // The measured record of the least median_ms; of several, the first.
    Result<std::optional<TuningRecord>> best(uint64_t pipeline_hash, const DeviceFilter &filter);

    // In the order in which they were added. `each` may not use the store; its error ends the
    // visit.
    Status visit(const RecordFilter &filter, const RecordVisitor &each);
    Result<std::vector<TuningRecord>> list(const RecordFilter &filter = {});
    Result<RecordCounts> counts();

    // Adds the samples of a later measurement, which has a name: TuningRecord::compared_ms. An
    // error if there is no measured record of the candidate.
    Status add_samples(const CandidateKey &key, const std::string &comparison,
                       std::span<const double> samples_ms);
    // Notes that a candidate did not pass a later verification: its samples go. An error if there
    // is no record of it.
    Status set_failed(const CandidateKey &key, const Failure &failure);

    // False if that draw is known, whose outcome is kept unless it is provisional. An error if
    // check(draw) has one.
    Result<bool> note_draw(const KnownDraw &draw);
    Result<std::optional<Outcome<uint64_t>>> find_draw(const DrawKey &key);

    // All records and draws of another file, in one transaction. Jobs stay where they are.
    Result<MergeCounts> merge_from(const std::string &path);

    // Calls `each` with the records that the rule means; prune() removes these then.
    Status visit_prunable(const PruneRule &rule, const RecordVisitor &each);
    Status prune(const PruneRule &rule);

    // Returns what is wrong with the file, by SQLite's own checks and in rows that would be refused
    // today: a sentence each, none if all is well.
    Result<std::vector<std::string>> verify();

    // For what else is kept in the file (work_queue.h).
    Database &database() { return database_; }

private:
    explicit RecordStore(Database database) : database_(std::move(database)) {}

    Database database_;
};

}  // namespace autoschedule_gpu
