#include "lab/records/work_queue.h"

#include <utility>

#include "lab/records/draw_rows.h"
#include "lab/records/record_rows.h"

namespace autoschedule_gpu {
namespace {

// Selects the worker's lease of this attempt: it may have lost the job and leased it again since.
constexpr const char *kOfLease =
    " WHERE id = ? AND worker = ? AND lost_attempts = ? AND leased_until IS NOT NULL";

Result<int64_t> next_finish_number(Database &database, int64_t id) {
    return database.integer(
        "SELECT coalesce(max(finish_number), 0) + 1 FROM jobs"
        " WHERE session = (SELECT session FROM jobs WHERE id = ?)",
        {id});
}

Status lose_attempt(Database &database, int64_t id) {
    const Result<int64_t> finish_number = next_finish_number(database, id);
    if (!finish_number) return finish_number.error();
    const auto lost = database.run(
        "UPDATE jobs SET lost_attempts = lost_attempts + 1, leased_until = NULL,"
        " outcome = CASE WHEN lost_attempts + 1 >= ?1 THEN 'lost' END,"
        " finish_number = CASE WHEN lost_attempts + 1 >= ?1 THEN ?2 END WHERE id = ?3",
        {int64_t{kMostAttempts}, *finish_number, id});
    if (!lost) return lost.error();
    return Ok{};
}

struct LeaseHolder {
    int64_t id = 0;
    std::string worker = {};
};

// Returns who holds the leases of the jobs that satisfy a condition.
Result<std::vector<LeaseHolder>> lease_holders(Database &database, const std::string &condition,
                                               SqlValues values) {
    std::vector<LeaseHolder> holders;
    const Status found = database.visit(
        "SELECT id, worker FROM jobs WHERE leased_until IS NOT NULL AND " + condition, values,
        [&](Statement &row) {
            holders.push_back({.id = row.next_integer(), .worker = row.next_text()});
            return Status(Ok{});
        });
    if (!found) return found.error();
    return holders;
}

Result<std::vector<LeaseHolder>> expired_leases(Database &database, double now) {
    return lease_holders(database, "leased_until <= ?", {now});
}

Result<std::vector<LeaseHolder>> leases_of_host(Database &database, const std::string &host) {
    const std::string prefix = host + ":";
    return lease_holders(database, "substr(worker, 1, length(?1)) = ?1", {prefix});
}

Result<std::optional<Job>> first_waiting(Database &database,
                                         const std::optional<std::string> &session) {
    std::optional<Job> job;
    const Status found = database.visit(
        "SELECT id, session, number, text, lost_attempts FROM jobs"
        " WHERE outcome IS NULL AND leased_until IS NULL AND (?1 IS NULL OR session = ?1)"
        " ORDER BY number, id LIMIT 1",
        {sql_value(session)}, [&](Statement &row) {
            job = Job{.id = row.next_integer(),
                      .session = row.next_text(),
                      .number = row.next_integer(),
                      .text = row.next_text(),
                      .attempts = static_cast<int>(row.next_integer())};
            return Status(Ok{});
        });
    if (!found) return found.error();
    return job;
}

Status add_findings(Database &database, const Findings &findings) {
    for (const TuningRecord &record : findings.records) {
        if (const auto added = insert_record(database, record); !added) return added.error();
    }
    for (const KnownDraw &draw : findings.draws) {
        if (const auto added = insert_draw(database, draw); !added) return added.error();
    }
    return Ok{};
}

// Returns true if exactly one row changed.
Result<bool> one_of(const Result<int64_t> &changed) {
    if (!changed) return changed.error();
    return *changed == 1;
}

}  // namespace

Result<bool> WorkQueue::enqueue(const std::string &session, int64_t number,
                                const std::string &text) {
    return one_of(database_.run(
        "INSERT INTO jobs(session, number, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        {session, number, text}));
}

// Reads first, so that workers that only wait do not keep others from writing.
Status WorkQueue::release_expired() {
    const double now = clock_();
    const auto seen = expired_leases(database_, now);
    if (!seen) return seen.error();
    if (seen->empty()) return Ok{};
    return database_.write([&]() -> Status {
        const auto expired = expired_leases(database_, now);
        if (!expired) return expired.error();
        for (const LeaseHolder &holder : *expired) {
            if (Status lost = lose_attempt(database_, holder.id); !lost) return lost;
        }
        return Ok{};
    });
}

Result<std::optional<Job>> WorkQueue::lease(const std::string &worker, double seconds,
                                            const std::optional<std::string> &session) {
    using Leased = Result<std::optional<Job>>;
    if (Status released = release_expired(); !released) return released.error();
    if (const Leased seen = first_waiting(database_, session); !seen || !*seen) return seen;
    return database_.write([&]() -> Leased {
        const Leased job = first_waiting(database_, session);
        if (!job || !*job) return job;
        const auto leased =
            database_.run("UPDATE jobs SET worker = ?, leased_until = ? WHERE id = ?",
                          {worker, clock_() + seconds, (**job).id});
        if (!leased) return leased.error();
        return job;
    });
}

Result<bool> WorkQueue::extend(const Job &job, const std::string &worker, double seconds) {
    return one_of(database_.run(std::string("UPDATE jobs SET leased_until = ?") + kOfLease,
                                {clock_() + seconds, job.id, worker, int64_t{job.attempts}}));
}

Result<bool> WorkQueue::finish(const Job &job, const std::string &worker, const std::string &result,
                               const Findings &findings) {
    return database_.write([&]() -> Result<bool> {
        const Result<int64_t> finish_number = next_finish_number(database_, job.id);
        if (!finish_number) return finish_number.error();
        const Result<bool> finished = one_of(database_.run(
            std::string("UPDATE jobs SET leased_until = NULL, outcome = 'done', result = ?,"
                        " finish_number = ?") +
                kOfLease,
            {result, *finish_number, job.id, worker, int64_t{job.attempts}}));
        if (!finished || !*finished) return finished;
        if (Status added = add_findings(database_, findings); !added) return added.error();
        return true;
    });
}

Result<int64_t> WorkQueue::cancel(const std::string &session) {
    if (Status released = release_expired(); !released) return released.error();
    return database_.run(
        "DELETE FROM jobs WHERE session = ? AND outcome IS NULL AND leased_until IS NULL",
        {session});
}

Status WorkQueue::forget_finished(const std::string &session) {
    const auto removed =
        database_.run("DELETE FROM jobs WHERE session = ? AND outcome IS NOT NULL", {session});
    if (!removed) return removed.error();
    return Ok{};
}

Result<JobCounts> WorkQueue::status(const std::string &session) {
    if (Status released = release_expired(); !released) return released.error();
    JobCounts counts;
    const Status counted = database_.visit(
        "SELECT count(*) FILTER (WHERE outcome IS NULL AND leased_until IS NULL),"
        " count(*) FILTER (WHERE leased_until IS NOT NULL),"
        " count(*) FILTER (WHERE outcome = 'done'), count(*) FILTER (WHERE outcome = 'lost')"
        " FROM jobs WHERE session = ?",
        {session}, [&](Statement &row) {
            counts = {.waiting = row.next_integer(),
                      .leased = row.next_integer(),
                      .done = row.next_integer(),
                      .lost = row.next_integer()};
            return Status(Ok{});
        });
    if (!counted) return counted.error();
    return counts;
}

Result<int64_t> WorkQueue::unfinished() {
    return database_.integer("SELECT count(*) FROM jobs WHERE outcome IS NULL");
}

Result<std::vector<JobResult>> WorkQueue::results(const std::string &session,
                                                  int64_t finish_number) {
    if (Status released = release_expired(); !released) return released.error();
    std::vector<JobResult> results;
    const Status found = database_.visit(
        "SELECT finish_number, number, outcome, worker, result FROM jobs"
        " WHERE session = ? AND finish_number > ? ORDER BY finish_number",
        {session, finish_number}, [&](Statement &row) {
            const int64_t place = row.next_integer(), number = row.next_integer();
            const JobOutcome outcome =
                row.next_text() == "done" ? JobOutcome::done : JobOutcome::lost;
            results.push_back({.finish_number = place,
                               .number = number,
                               .outcome = outcome,
                               .worker = row.next_text(),
                               .text = row.next_text()});
            return Status(Ok{});
        });
    if (!found) return found.error();
    return results;
}

Result<int64_t> WorkQueue::release_dead(const std::string &host,
                                        const std::function<bool(const std::string &)> &is_alive) {
    return database_.write([&]() -> Result<int64_t> {
        const auto held = leases_of_host(database_, host);
        if (!held) return held.error();
        int64_t released = 0;
        for (const LeaseHolder &holder : *held) {
            if (is_alive(holder.worker)) continue;
            if (Status lost = lose_attempt(database_, holder.id); !lost) return lost.error();
            ++released;
        }
        return released;
    });
}

}  // namespace autoschedule_gpu
