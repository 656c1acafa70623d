// Makes trials of requests: what the records know is taken from there, the rest is compiled.
//
//     ScheduleRequest ─► known? ─► record ─► Trial
//               └ no ─► TrialBench::build, in parallel ─► figures ─► noted ─► Trial
//
// Each is noted when it and those before it are built: the end of the process costs the outcomes of
// those that are being built, and the notes are in the order of the draws.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/support/parallel.h"
#include "lab/bench/trial_bench.h"
#include "lab/records/record_store.h"
#include "tune/session/executor.h"

namespace autoschedule_gpu {

// What an executor works with. All of it outlives the executor.
struct TuneContext {
    TrialBench &bench;
    const Workload &workload;
    RecordStore &store;
    ThreadPool &pool;  // compiles
    // Asked between steps: schedules that are not yet compiled or run are left as they are.
    std::function<bool()> stop = {};

    bool stops() const { return stop && stop(); }
};

// Returns what the records are to hold of a trial that is measured or has failed, by a run of that
// tolerance.
TuningRecord record_of(const TunedPipeline &tuned, const Trial &trial, const std::string &session,
                       const Tolerance &tolerance);

class TrialMaker {
public:
    // `tuned` outlives the maker, as the context does. `session` is who found what is found.
    TrialMaker(const TuneContext &context, const TunedPipeline &tuned, std::string session)
        : bench_(context.bench),
          workload_(context.workload),
          store_(context.store),
          pool_(context.pool),
          stop_(context.stop),
          tuned_(tuned),
          session_(std::move(session)) {}

    // In the order of the draws; requests where the context stopped it. What is built is predicted
    // before it is recorded. An error if the records fail, or nothing can be built. `tell` may be
    // empty.
    Result<std::vector<Trial>> make(std::span<const ScheduleRequest> draws, const Predict &predict,
                                    const TellBuilt &tell);

    // Returns how many draws were unknown and have been built.
    int builds() const { return builds_; }

    // Executor::price. Nothing of it is noted.
    Result<Prices> price(std::span<const std::string> lists, const NamedValues &model);

    // Returns the code that the draw is noted to lead to, or why there is none; nothing where it is
    // not noted.
    Result<std::optional<Outcome<uint64_t>>> noted(const ScheduleRequest &draw);

    // Returns what the records say of a draw. Nothing where it is not known, or only that it leads
    // to code of which there is no record.
    Result<std::optional<Trial>> known(const ScheduleRequest &draw);

    // Returns what runs a trial, which is compiled again if it is no more there. Kinds of failure:
    // those of TrialBench::build and ready. May be called from several threads.
    Outcome<RunJob> job_of(const Trial &trial);

    // Remembers the outcome of a trial, in place of one under another tolerance. Where another
    // process has recorded its code meanwhile, that is its outcome: a run decides by what it would
    // find when it goes on after an interruption.
    Status record(Trial &trial);

    // What came of trials in an earlier comparison: no times of one that was not in it. Those that
    // have failed, in it or in another, are failed trials then.
    Result<std::vector<ComparedTimes>> compared(std::span<Trial *const> trials,
                                                const std::string &label);
    // What another process has noted of a trial in a comparison: its times, or why it failed. No
    // times: it has noted nothing, or what says nothing of the schedule.
    Result<ComparedTimes> outcome_of_comparison(const Trial &trial, const std::string &label);
    Status note_compared(const Trial &trial, const std::string &label,
                         std::span<const double> samples_ms);
    // Notes that a trial which was measured failed later.
    Status note_failed(const Trial &trial, const Failure &failure);

    // Removes the files of trials that were not linked; nobody is to ask for their jobs soon.
    void drop_unlinked();

private:
    struct Linked {
        std::optional<BuiltSchedule> built;
        std::optional<RunJob> job;
    };

    // Returns the record, unless it says nothing of the schedule under this run's tolerance.
    Result<std::optional<TuningRecord>> find_record_of(uint64_t code_hash);
    Status fill_from_record(Trial &trial);
    Trial build(const ScheduleRequest &draw);
    Status note(const Trial &trial);
    Status note_built(Trial &trial, const Predict &predict);
    CandidateKey key_of(uint64_t code_hash) const;
    DrawKey draw_key(const ScheduleRequest &draw) const;
    int next_slot();

    TrialBench &bench_;
    const Workload &workload_;
    RecordStore &store_;
    ThreadPool &pool_;
    const std::function<bool()> stop_;
    const TunedPipeline &tuned_;
    std::string session_;
    int builds_ = 0;
    std::mutex mutex_;  // of the next two
    int slots_ = 0;
    std::map<uint64_t, Linked> linked_;  // by code
};

}  // namespace autoschedule_gpu
