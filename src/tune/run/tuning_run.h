// One pipeline, from what a user asks for to files: opens the records and the bench, tunes, and
// exports the winner.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/support/error.h"
#include "lab/bench/trial_bench.h"
#include "lab/run/device.h"
#include "lab/workloads/workload.h"
#include "scheduler/model/model_choice.h"
#include "tune/run/export.h"
#include "tune/run/failed_trials.h"
#include "tune/session/session.h"
#include "tune/strategies/final_comparison.h"
#include "tune/strategies/tune_strategy.h"

namespace autoschedule_gpu {

// Who runs the schedules.
enum class MeasuredBy : uint8_t { this_process, workers };

// Whether the best that the records have of other runs is tried.
enum class EarlierRuns : uint8_t { tried, ignored };

struct TuneRequest {
    Workload workload = {};
    TrialBenchSettings bench = {};   // with a folder of the run's own, which goes at the end
    Device device = {};              // opencl, cuda or replay
    std::string records = {};        // the file
    std::string folder = {};         // of the results
    TuneStrategies strategies = {};  // in this order
    FinalsSettings finals = {};
    Budget budget = {};
    SessionModel model = {};  // that predicts, until there are weights of the run's own
    uint64_t seed = 0;
    MeasuredBy measured_by = MeasuredBy::this_process;
    EarlierRuns earlier = EarlierRuns::tried;
    int jobs = 0;                          // that compile at the same time; 0: one per core
    std::string halide = {}, plugin = {};  // versions
    std::string command = {};              // for the page
    std::string date = {};
};

// Equal for equal settings, whatever the budget and the device: the run that goes on where an
// earlier one was ended, or is replayed. Of the weights that it begins with, their content counts
// and not their file.
std::string session_id(const TuneRequest &request);
// Of the weights of the network that predicts in the beginning; 0 if there is none.
uint64_t hash_of_weights(const TuneRequest &request);

// Whose finals decided: a run that was ended early may know of a better one than it has found.
enum class FoundBy : uint8_t { this_run, earlier_run };

struct TuneResult {
    TuneState state = {};
    std::vector<FailedTrials> failures = {};
    PipelineKey pipeline = {};
    Environment environment = {};
    std::string winner = {};  // its schedule, as the records call it
    Finalist best = {};
    FoundBy found_by = FoundBy::this_run;
    std::optional<Finalist> usual = {};  // the default schedule, if it ran beside the winner
    double chance_of_luck = 1;           // that the winner is not faster than that
    ExportedSchedule exported = {};
    std::string difference = {};  // from the default schedule, in words
    std::string page_path = {};
    // Where draws have led to no further ones: how many different schedules there are by them.
    std::optional<int> all_drawn = {};
    Recording recording = Recording::none;  // of a run that was repeated
    bool interrupted = false;
    // That ended the run early, after something was measured: that is exported all the same.
    std::optional<Error> error = {};

    // There is none, and nothing is exported, where the user has asked for the end before anything
    // was measured: then the rest says nothing.
    bool has_winner() const { return !exported.header_path.empty(); }
};

// `stop` is asked between steps, from several threads; after a yes, what runs is finished and
// recorded, and the best so far is exported. So it is where an error ends the run after something
// was measured. Errors say what to do.
Result<TuneResult> tune_pipeline(const TuneRequest &request,
                                 const std::function<void(const TuneState &)> &progress,
                                 const std::function<bool()> &stop);

// Makes the schedule of a trace again: compiled, run and verified unless it is a replay, and
// exported as a winner is, in the plugin's spacing. Nothing is searched or recorded. Refused: a
// trace that does not fit the pipeline, whose Error names the first directive that fails, and a
// schedule that fails.
Result<ExportedSchedule> export_trace(const TuneRequest &request, const std::string &trace);

}  // namespace autoschedule_gpu
