// Options of the tools that run applications' generators: which applications at which size, for
// which GPU, where things are found and where results go.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "contest/application.h"
#include "gpu/gpu_model.h"
#include "support/error.h"
#include "tool_paths.h"

namespace autoschedule_gpu {

struct ApplicationOptions {
    std::string apps = "all", size = "full", gpu = "A100", out;
    std::string plugins, apps_folder, generators;
    int repeats = 1;
    double timeout_s = 300;
    bool fresh = false;
};

// Those whose help is the same for every tool: --apps, --out, --gpu, --fresh, --apps-folder,
// --generators.
void add_application_options(CLI::App &app, ApplicationOptions &options);

// Errors begin with the option at fault.
Result<GpuModel> chosen_gpu(const ApplicationOptions &options);
Result<std::vector<Application>> chosen_applications(const ApplicationOptions &options,
                                                     const ToolPaths &paths);
// The absolute path of --out, which need not exist.
Result<std::string> output_folder(const ApplicationOptions &options);

std::chrono::milliseconds milliseconds(double seconds);

// Fills in what the settings of every such tool say, under the same names.
template <typename Settings>
Status settle(const ApplicationOptions &options, const ToolPaths &paths, Settings &settings) {
    Result<GpuModel> model = chosen_gpu(options);
    if (!model) return model.error();
    Result<std::vector<Application>> applications = chosen_applications(options, paths);
    if (!applications) return applications.error();
    Result<std::string> folder = output_folder(options);
    if (!folder) return folder.error();
    settings.model = std::move(model).value();
    settings.gpu = options.gpu;
    settings.applications = std::move(applications).value();
    settings.size = options.size;
    settings.repeats = options.repeats;
    settings.folder = std::move(folder).value();
    return Ok{};
}

}  // namespace autoschedule_gpu
