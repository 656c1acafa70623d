// Options of the tools that run applications' generators: which applications at which size, for
// which GPU, where things are found and where results go.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "common/tool_paths.h"
#include "core/gpu/gpu_model.h"
#include "core/support/error.h"
#include "lab/workloads/application.h"

namespace autoschedule_gpu {

struct ApplicationOptions {
    std::string apps = "all", size = "full", gpu = "A100", out;
    std::string plugins, apps_folder, generators;
    int repeats = 1;
    double timeout_s = 300;
    bool fresh = false;
};

// Adds the options whose help is the same for every tool: --apps, --out, --gpu, --fresh,
// --apps-folder, --generators.
void add_application_options(CLI::App &app, ApplicationOptions &options);

// The help of options that mean something different in each tool.
struct SearchHelp {
    const char *size;
    const char *repeats;
    const char *timeout;
};

// Adds --size, --repeats and --timeout.
void add_search_options(CLI::App &app, ApplicationOptions &options, const SearchHelp &help);

// Errors of these functions begin with the option that is wrong.
Result<GpuModel> chosen_gpu(const ApplicationOptions &options);
Result<std::vector<Application>> chosen_applications(const ApplicationOptions &options,
                                                     const ToolPaths &paths);
// Returns the absolute path of the results' folder, which need not exist. `option` is its name in
// that tool.
Result<std::string> output_folder(const ApplicationOptions &options,
                                  const std::string &option = "--out");

std::chrono::milliseconds milliseconds(double seconds);

// Fills in the settings that all such tools share.
template <typename Settings>
Status fill(const ApplicationOptions &options, const ToolPaths &paths, Settings &settings) {
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
