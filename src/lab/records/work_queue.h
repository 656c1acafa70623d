// A queue of jobs that one process adds and others do, in the file of a RecordStore.
//
//     tuner ─► enqueue ─► waiting ─► lease ─► leased ─► finish ─► done ─► results ─► tuner
//                            ▲                  │
//                            └── lease ran out ─┴─► the third time: lost
//
// A lease is for a limited time, and a worker that needs longer extends it. A lease that has run
// out counts as a lost attempt, and the job waits again. finish() writes everything in one
// transaction, so a result is neither lost nor stored twice. Workers on several machines need
// clocks that agree to within a fraction of a lease. One thread may use a queue at a time; the
// store must outlive it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/support/utc_time.h"
#include "lab/records/record_store.h"

namespace autoschedule_gpu {

// After so many lost attempts a job is not handed out again, because it may be what kills its
// workers.
inline constexpr int kMostAttempts = 3;

struct Job {
    int64_t id = 0;
    std::string session = {};
    int64_t number = 0;     // within its session; the least is done first
    std::string text = {};  // for the worker; JSON by convention
    int attempts = 0;       // how many were lost before

    friend bool operator==(const Job &, const Job &) = default;
};

enum class JobOutcome : uint8_t { done, lost };

struct JobResult {
    int64_t finish_number = 0;  // in the order in which the session's jobs were finished, from 1
    int64_t number = 0;
    JobOutcome outcome = JobOutcome::done;
    std::string worker = {};  // the one that finished it, or was the last to lose it
    std::string text = {};    // what finish() was given; empty if the job is lost
};

struct JobCounts {
    int64_t waiting = 0, leased = 0, done = 0, lost = 0;

    friend bool operator==(const JobCounts &, const JobCounts &) = default;
};

// What a job found out beside its result.
struct Findings {
    std::vector<TuningRecord> records = {};
    std::vector<KnownDraw> draws = {};
};

class WorkQueue {
public:
    using Clock = std::function<double()>;  // seconds

    explicit WorkQueue(RecordStore &store, Clock clock = unix_seconds_now)
        : database_(store.database()), clock_(std::move(clock)) {}

    // Returns false if the session already has a job of that number, which stays as it is.
    Result<bool> enqueue(const std::string &session, int64_t number, const std::string &text);

    // Leases the waiting job of the least number, of one session or of any; nullopt if none waits.
    Result<std::optional<Job>> lease(const std::string &worker, double seconds,
                                     const std::optional<std::string> &session = {});
    // Makes the lease last for so many seconds from now on. Returns false if the lease is no longer
    // the worker's.
    Result<bool> extend(const Job &job, const std::string &worker, double seconds);
    // Adds the findings as RecordStore does (what is known stays) and keeps the result. Returns
    // false, and writes nothing, if the lease is no longer the worker's. A lease that has run out
    // is still the worker's until the job is handed out again, or the queue notices its loss.
    Result<bool> finish(const Job &job, const std::string &worker, const std::string &result,
                        const Findings &findings = {});

    // Removes the session's waiting jobs, those whose lease has run out included. Returns how many
    // there were.
    Result<int64_t> cancel(const std::string &session);
    // Removes the session's finished jobs, whose numbers may then be used again.
    Status forget_finished(const std::string &session);

    // Returns how many of the session's jobs are in each state.
    Result<JobCounts> status(const std::string &session);
    // Returns how many jobs of all sessions wait or are leased.
    Result<int64_t> unfinished();
    // Returns the finished jobs after `finish_number`, in the order in which they were finished.
    Result<std::vector<JobResult>> results(const std::string &session, int64_t finish_number = 0);

    // Takes back the leases of workers "HOST:..." that are not alive (worker_name.h), as if they
    // had run out. Returns how many there were.
    Result<int64_t> release_dead(const std::string &host,
                                 const std::function<bool(const std::string &worker)> &is_alive);

private:
    Status release_expired();

    Database &database_;
    Clock clock_;
};

}  // namespace autoschedule_gpu
