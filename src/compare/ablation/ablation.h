// The ablation: every application's search under every configuration of it.
//
//     for each application
//         repeats times, each configuration in turn, beginning with another one each time
//             generator + probe + plugin, ended when the schedule is there ─► the plugin's report
//
// What fails or does not end is a row with a reason. Rows of earlier calls are kept as long as they
// are newer than the plugin and the generator, and what was asked for is the same.
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
    GpuModel model = {};                   // what it stands for
    std::vector<std::string> params = {};  // of every search: "num_passes=3"
    int repeats = 1;
    std::chrono::milliseconds timeout{std::chrono::minutes{5}};  // of one generator
    std::string folder = {};                                     // of the output
};

// An error where nothing could be measured: the plugin or the probe is missing, an application has
// no such size, or a parameter is not of the form NAME=VALUE, or one that this sets itself.
Status check(const AblationSettings &settings, const Toolbox &tools);

using ReportAblationRows = std::function<void(const std::vector<AblationRow> &)>;

// One row per application and configuration, in that order; `earlier` rows are kept where they
// hold. The settings have passed the check. `report_rows` is called after each application with all
// rows so far. The steps of the progress are the searches that are needed.
std::vector<AblationRow> run_ablation(const AblationSettings &settings, const Toolbox &tools,
                                      const std::vector<AblationRow> &earlier,
                                      const ReportProgress &progress = {},
                                      const ReportAblationRows &report_rows = {});

}  // namespace autoschedule_gpu
