// The comparison: every application under every contender, measured alike.
//
//     for each application
//         the reference, at the size and at the odd size beside it, if that has other parameters
//                                                                          (if there is a device)
//         each contender: generator with the probe ─► ptxas ─► limits ─► link ─► run, compare
//         the search again, all contenders in turn, repeats - 1 times      (if it took under 30 s)
//         the runs again, all contenders in turn, repeats - 1 times       (if runs are timed)
//
// A contender that fails is a row with a reason. What an application gave is kept in the output
// folder: a comparison that was interrupted goes on where it was, as long as the settings, the
// programs and the files that parameters name are the same (fingerprint.h). An application with a
// row that says nothing of its schedule, since the measuring itself failed, is measured again.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compare/rows/row.h"
#include "compare/schedulers/scheduler_spec.h"
#include "compare/schedulers/toolbox.h"
#include "lab/bench/bench.h"
#include "lab/run/device.h"
#include "lab/run/replay.h"
#include "lab/workloads/application.h"

namespace autoschedule_gpu {

struct ComparisonSettings {
    std::vector<Application> applications = {};
    std::vector<SchedulerSpec> contenders = {};
    std::string size = "full";
    Device device = {};
    std::optional<Replay> replay = {};  // for Device replay
    // Variables of the environment by which the device is chosen, and compiles what runs on it.
    NamedValues environment = {};
    std::string record_path = {};  // where runs are recorded for replay; empty: nowhere
    std::string gpu = "A100";      // preset or file, as the plugin takes it
    GpuModel model = {};           // what it stands for
    int repeats = 3;
    bool times_opencl = false;  // PoCL's times say nothing of a GPU
    int jobs = 1;               // applications at the same time; search times suffer from it
    std::string folder = {};    // of the output
    bool resume = true;
    std::string command = {};  // goes into the rows
    BenchLimits limits = {};
    std::function<void(const std::string &)> warn = {};  // see BenchSettings; from any thread
};

// True if runs are timed, false if they are only verified.
bool times_runs(const ComparisonSettings &settings);

// Where a contest stands. Called from any of its threads, one at a time.
struct ComparisonProgress {
    int done = 0;  // steps
    int total = 0;
    std::string doing = {};  // "harris: anderson2021, search"
};
using ReportProgress = std::function<void(const ComparisonProgress &)>;

// Called after each application, one at a time, with all rows so far in the order of the settings:
// those that are kept of earlier calls are among them from the beginning.
using ReportRows = std::function<void(const std::vector<ComparisonRow> &)>;

// One row per application and contender. An error where nothing could be compared at all, or where
// rows could not be kept or measurements not be recorded; `report_rows` has told of the rows then.
Result<std::vector<ComparisonRow>> compare_schedulers(const ComparisonSettings &settings,
                                                      const Toolbox &tools,
                                                      const ReportProgress &progress = {},
                                                      const ReportRows &report_rows = {});

// Returns the steps of one application: what ComparisonProgress counts.
int steps_per_application(const ComparisonSettings &settings);

}  // namespace autoschedule_gpu
