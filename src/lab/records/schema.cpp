#include "lab/records/schema.h"

#include <array>

#include "lab/records/file_system.h"

namespace autoschedule_gpu {
namespace {

constexpr int64_t kApplicationId = 0x41534752;  // "ASGR"

// STRICT makes columns hold what they are declared to hold. SQLite stores a NaN as NULL, which NOT
// NULL refuses; 9e999 is infinity.
constexpr const char *kVersion1 = R"sql(
CREATE TABLE records(
    id INTEGER PRIMARY KEY,
    pipeline TEXT NOT NULL,
    size TEXT NOT NULL,
    pipeline_hash INTEGER NOT NULL,
    device TEXT NOT NULL,
    driver TEXT NOT NULL,
    gpu TEXT NOT NULL,
    halide TEXT NOT NULL,
    plugin TEXT NOT NULL,
    feature_schema INTEGER NOT NULL,
    code_hash INTEGER NOT NULL CHECK (code_hash <> 0),
    found_by TEXT NOT NULL,
    session TEXT NOT NULL,
    trace TEXT NOT NULL,
    decisions TEXT NOT NULL,
    features BLOB NOT NULL,
    predicted_ms REAL,
    registers INTEGER,
    spill_bytes INTEGER,
    median_ms REAL CHECK (median_ms > 0 AND median_ms < 9e999),
    failure_kind TEXT,
    failure_reason TEXT,
    failure_command TEXT,
    failure_output TEXT,
    recorded_at TEXT NOT NULL,
    CHECK ((median_ms IS NULL) <> (failure_kind IS NULL)),
    UNIQUE (pipeline_hash, device, driver, gpu, halide, code_hash)
) STRICT;
CREATE INDEX fastest ON records(pipeline_hash, device, gpu, median_ms) WHERE median_ms IS NOT NULL;

CREATE TABLE samples(
    record INTEGER NOT NULL REFERENCES records(id) ON DELETE CASCADE,
    comparison TEXT NOT NULL,
    number INTEGER NOT NULL,
    ms REAL NOT NULL CHECK (ms > 0 AND ms < 9e999),
    PRIMARY KEY (record, comparison, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE draws(
    pipeline_hash INTEGER NOT NULL,
    device TEXT NOT NULL,
    driver TEXT NOT NULL,
    gpu TEXT NOT NULL,
    halide TEXT NOT NULL,
    plugin TEXT NOT NULL,
    draw TEXT NOT NULL,
    code_hash INTEGER CHECK (code_hash <> 0),
    failure_kind TEXT,
    failure_reason TEXT,
    failure_command TEXT,
    failure_output TEXT,
    CHECK ((code_hash IS NULL) <> (failure_kind IS NULL)),
    PRIMARY KEY (pipeline_hash, device, driver, gpu, halide, plugin, draw)
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL,
    number INTEGER NOT NULL,
    text TEXT NOT NULL,
    lost_attempts INTEGER NOT NULL DEFAULT 0,
    worker TEXT,
    leased_until REAL,
    outcome TEXT CHECK (outcome IN ('done', 'lost')),
    result TEXT,
    finish_number INTEGER,
    CHECK (leased_until IS NULL OR (worker IS NOT NULL AND outcome IS NULL)),
    CHECK ((outcome IS NULL) = (finish_number IS NULL)),
    CHECK ((result IS NOT NULL) = coalesce(outcome = 'done', 0)),
    UNIQUE (session, number),
    UNIQUE (session, finish_number)
) STRICT;
CREATE INDEX waiting ON jobs(number, id) WHERE outcome IS NULL AND leased_until IS NULL;
CREATE INDEX leased ON jobs(leased_until) WHERE leased_until IS NOT NULL;
)sql";

// What was recorded before was verified within the usual tolerance, as far as is known.
constexpr const char *kVersion2 = R"sql(
ALTER TABLE records ADD COLUMN float_tolerance REAL
    CHECK (float_tolerance >= 0 AND float_tolerance < 9e999);
ALTER TABLE records ADD COLUMN integer_steps INTEGER NOT NULL DEFAULT 0
    CHECK (integer_steps >= 0);
)sql";

// For who only reads: the tables of version 1 as if they were of this one. Names are looked up
// among temporary views first.
constexpr const char *kVersion1AsOfNow = R"sql(
CREATE TEMP VIEW records AS
    SELECT *, NULL AS float_tolerance, 0 AS integer_steps FROM main.records;
)sql";

// Entry i migrates from version i to version i + 1.
constexpr std::array<const char *, 2> kMigrations = {kVersion1, kVersion2};
constexpr auto kSchemaVersion = static_cast<int64_t>(kMigrations.size());

// Returns 0 if there is nothing in it yet. For a transaction: another process may make the tables
// between two questions.
Result<int64_t> version_of(Database &database) {
    const Result<int64_t> application = database.integer("PRAGMA application_id");
    if (!application) return application;
    const Result<int64_t> version = database.integer("PRAGMA user_version");
    if (!version) return version;
    const Result<int64_t> entries = database.integer("SELECT count(*) FROM sqlite_schema");
    if (!entries) return entries;
    if (*application == 0 && *version == 0 && *entries == 0) return 0;
    if (*application != kApplicationId) {
        return database.error("expected a file of tuning records (application_id " +
                              std::to_string(kApplicationId) +
                              "), found an SQLite file of another application (" +
                              std::to_string(*application) + ")");
    }
    if (*version < 1 || *version > kSchemaVersion) {
        return database.error("expected tuning records of version " +
                              std::to_string(kSchemaVersion) + " or earlier, found version " +
                              std::to_string(*version) + "; use the program that made it");
    }
    return version;
}

Status migrate(Database &database) {
    const Result<int64_t> version = version_of(database);
    if (!version) return version.error();
    if (*version == kSchemaVersion) return Ok{};
    for (auto i = static_cast<size_t>(*version); i < kMigrations.size(); ++i) {
        if (Status done = database.script(kMigrations[i]); !done) return done;
    }
    return database.script("PRAGMA application_id=" + std::to_string(kApplicationId) +
                           "; PRAGMA user_version=" + std::to_string(kSchemaVersion));
}

// A write-ahead log lets readers and a writer work at the same time, but only on one machine,
// because they share memory. With it, synchronous=NORMAL loses at most the last commits if the
// power fails, and nothing if a process ends. The other journal mode needs FULL to survive a loss
// of power at all.
Status choose_journal(Database &database) {
    const bool shared = is_on_shared_file_system(database.path());
    if (Status set = database.set_journal_mode(shared ? "delete" : "wal"); !set) return set;
    return database.script(shared ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
}

}  // namespace

Result<Database> open_records(const std::string &path, StoreAccess access) {
    Result<Database> opened = Database::open(path, access);
    if (!opened) return opened;
    Database database = std::move(opened).value();
    const Result<int64_t> version = database.read([&] { return version_of(database); });
    if (!version) return version.error();
    if (access == StoreAccess::read_only) {
        if (*version == kSchemaVersion) return database;
        if (*version == 0) {
            return database.error("expected tuning records of version " +
                                  std::to_string(kSchemaVersion) +
                                  " or earlier, found version 0: nothing is in it yet");
        }
        if (Status seen = database.script(kVersion1AsOfNow); !seen) return seen.error();
        return database;
    }
    if (Status chosen = choose_journal(database); !chosen) return chosen.error();
    if (*version == kSchemaVersion) return database;
    if (Status done = database.write([&] { return migrate(database); }); !done) return done.error();
    return database;
}

}  // namespace autoschedule_gpu
