// Strategies under the same budget: every one of them on every pipeline under every seed, each run
// with records of its own, so that nobody is helped by what others found.
//
//     for each seed, pipeline and contestant ─► tune_pipeline ─► ContestRun ─► contest_folder.h
//
// In the folder, runs/APP-STRATEGY-SEED/ has what a tuning run leaves (tune/run/export.h) and
//
//     tuned.records    what was measured
//     times.json       when how many trials had been made
//     run.json         the ContestRun, once the run is complete
//     earlier.records  what was measured before the run began anew, if something was
//
// What is complete is not run again, as long as all that it depends on is the same
// (run_settings.h). What is not goes on from its records, with another budget or other finals, too;
// but a run of a budget in time begins anew: what it had priced and trained would be so again, in
// what is left of the time, and it would end with fewer trials than one that was not interrupted.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/support/error.h"
#include "lab/build/build_candidate.h"
#include "tune/contest/contest_run.h"
#include "tune/run/tuning_run.h"
#include "tune/strategies/tune_strategy.h"

namespace autoschedule_gpu {

struct Contestant {
    std::string name = {};
    std::function<Result<TuneStrategies>(uint64_t seed)> strategies = {};
};

struct ContestSettings {
    std::vector<Contestant> contestants = {};
    std::vector<Workload> workloads = {};
    std::vector<uint64_t> seeds = {};
    // What all runs share. Their pipelines, strategies, seeds, folders and records are the
    // contest's. A device that replays does so from one file for all runs.
    TuneRequest each = {};
    NamedValues environment = {};  // by which the device is chosen, and compiles what runs on it
    std::string folder = {};
    // An earlier contest's, each of whose runs is replayed from its own records; empty: none.
    std::string replayed_folder = {};
};

struct ContestProgress {
    int done = 0, total = 0;            // trials where the budget has some, else runs
    std::optional<double> left_s = {};  // contest_left.h
    std::string doing = {};
};

struct ContestResult {
    // In the order of seeds, pipelines and contestants.
    std::vector<ContestRun> runs = {};
    std::vector<FailedRun> failed = {};  // in this call
    bool interrupted = false;
};

// `show` is told of the runs so far after each of them, those of earlier calls included, and at the
// end. An Error only where a file of the contest can't be written or read.
Result<ContestResult> hold_contest(const ContestSettings &settings,
                                   const std::function<void(const ContestProgress &)> &progress,
                                   const std::function<bool()> &stop,
                                   const std::function<Status(const ContestResult &)> &show);

// Returns the runs that are complete in the folder of a contest, whatever they were made with, by
// name. An error where there is none, or where a file is at fault.
Result<std::vector<ContestRun>> complete_runs_of(const std::string &folder);

// Returns the first file of records of an earlier contest's folder: what its device is.
Result<std::string> any_records_of_contest(const std::string &folder);

}  // namespace autoschedule_gpu
