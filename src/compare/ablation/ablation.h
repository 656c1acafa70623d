// Runs the ablation: the search of every application under every configuration.
//
//     for each application
//         repeats times, each configuration in turn, beginning with another one each time
//             generator + probe + plugin, ended when the schedule is there ─► the plugin's report
//
// A search that fails or does not end is a row with a reason. Rows of earlier calls are kept if
// they are newer than the plugin, the probe and the generator, and were measured with the same
// settings and the same content of the files that these name; but not those that say nothing of the
// search, since the measuring itself failed.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "compare/ablation/configuration.h"
#include "compare/ablation/row.h"
#include "compare/schedulers/compare_schedulers.h"
#include "compare/schedulers/toolbox.h"
#include "core/gpu/gpu_model.h"
#include "lab/workloads/application.h"

namespace autoschedule_gpu {

struct AblationSettings {
    std::vector<Application> applications = {};
    std::vector<Configuration> configurations = {};
    std::string size = "full";
    std::string gpu = "A100";              // preset or file, as the plugin takes it
    GpuModel model = {};                   // the device that it names
    std::vector<std::string> params = {};  // for every search: "num_passes=3"
    int repeats = 1;
    std::chrono::milliseconds timeout{std::chrono::minutes{5}};  // for one generator
    std::string folder = {};                                     // for the output
};

// Returns an error if nothing can be measured: the plugin or the probe is missing, an application
// does not have that size, or a parameter is not of the form NAME=VALUE or is one that the ablation
// sets itself.
Status check(const AblationSettings &settings, const Toolbox &tools);

using ReportAblationRows = std::function<void(const std::vector<AblationRow> &)>;

// Returns one row per application and configuration, in that order; `earlier` rows are kept where
// they still hold. The settings must have passed the check. `report_rows` is called after each
// application with all rows so far. The progress counts the searches that are needed.
std::vector<AblationRow> run_ablation(const AblationSettings &settings, const Toolbox &tools,
                                      const std::vector<AblationRow> &earlier,
                                      const ReportProgress &progress = {},
                                      const ReportAblationRows &report_rows = {});

}  // namespace autoschedule_gpu
