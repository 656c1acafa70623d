// From draws to trials: what the records know is taken from there, the rest is compiled.
//
//     Draw ─► known draw? ─► record ─► Trial
//               └ no ─► TrialBench::build, in parallel ─► figures ─► noted ─► Trial
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "records/record_store.h"
#include "support/parallel.h"
#include "trial/trial_bench.h"
#include "tune/trial.h"

namespace autoschedule_gpu {

// Whose candidates: the keys under which the records hold them.
struct TunedPipeline {
    PipelineKey pipeline = {};
    Environment environment = {};
};

// What the records are to hold of a trial; measured or failed.
TuningRecord record_of(const TunedPipeline &tuned, const Trial &trial, const std::string &session);

class TrialMaker {
public:
    // All outlive the maker. Of the bench, subject 0 is tuned. `session` is who found what is
    // found.
    TrialMaker(TrialBench &bench, RecordStore &store, ThreadPool &pool, TunedPipeline tuned,
               std::string session)
        : bench_(bench),
          store_(store),
          pool_(pool),
          tuned_(std::move(tuned)),
          session_(std::move(session)) {}

    // In the order of the draws. An error if the records fail, or nothing can be built.
    Result<std::vector<Trial>> make(std::span<const Draw> draws);

    // What the records say of a draw. Nothing where it is not known, or only that it leads to code
    // of which there is no record.
    Result<std::optional<Trial>> known(const Draw &draw);

    // What is compiled of a trial; compiled again if it is no more there. Kinds of failure: those
    // of TrialBench::build and link. May be called from several threads.
    Outcome<RunJob> job_of(const Trial &trial);

    // Remembers the outcome of a trial.
    Status record(const Trial &trial);

    // The times of trials in an earlier comparison; nothing if one of them has none there.
    Result<std::optional<std::vector<ComparedTimes>>> compared(std::span<Trial *const> trials,
                                                               const std::string &label);
    Status note_compared(const Trial &trial, const std::string &label,
                         std::span<const double> samples_ms);
    // Of a trial that was measured and then failed.
    Status note_failed(const Trial &trial, const Failure &failure);

    // Files of trials that were not linked; nobody is to ask for their jobs soon.
    void drop_unlinked();

    const TunedPipeline &tuned() const { return tuned_; }

private:
    struct Linked {
        std::optional<BuiltDraw> built;
        std::optional<RunJob> job;
    };

    Status fill_from_record(Trial &trial);
    Trial build(const Draw &draw);
    Status note(const Trial &trial);
    CandidateKey key_of(uint64_t code_hash) const;
    DrawKey draw_key(const Draw &draw) const;
    int next_slot();

    TrialBench &bench_;
    RecordStore &store_;
    ThreadPool &pool_;
    TunedPipeline tuned_;
    std::string session_;
    std::mutex mutex_;  // of the next two
    int slots_ = 0;
    std::map<uint64_t, Linked> linked_;  // by code
};

}  // namespace autoschedule_gpu
