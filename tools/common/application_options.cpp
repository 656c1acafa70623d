#include "common/application_options.h"

#include <algorithm>

#include "core/gpu/resolve.h"
#include "core/support/file.h"

namespace autoschedule_gpu {

void add_application_options(CLI::App &app, ApplicationOptions &options) {
    app.add_option("--apps", options.apps, "all, or names with commas between")
        ->capture_default_str();
    app.add_option("--out", options.out,
                   "folder of the results; goes on where an earlier call stopped")
        ->required();
    app.add_option("--gpu", options.gpu,
                   "the GPU to schedule for, whatever is in this machine: a preset or a JSON file")
        ->capture_default_str();
    app.add_flag("--fresh", options.fresh, "measure anew what earlier calls left in --out");
    app.add_option("--apps-folder", options.apps_folder,
                   "where NAME/app.json are, for applications of your own (else: ../apps)");
    app.add_option("--generators", options.generators,
                   "where the programs NAME.generator are (else: beside this one)");
}

void add_search_options(CLI::App &app, ApplicationOptions &options, const SearchHelp &help) {
    app.add_option("--size", options.size, help.size)->capture_default_str();
    app.add_option("--repeats", options.repeats, help.repeats)
        ->capture_default_str()
        ->check(CLI::Range(1, 1000));
    app.add_option("--timeout", options.timeout_s, help.timeout)
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
}

Result<GpuModel> chosen_gpu(const ApplicationOptions &options) {
    Result<GpuModel> model = resolve_gpu_model(options.gpu);
    if (!model) return Error{"--gpu: " + model.error().message};
    return model;
}

Result<std::vector<Application>> chosen_applications(const ApplicationOptions &options,
                                                     const ToolPaths &paths) {
    const auto all =
        find_applications(options.apps_folder.empty() ? paths.apps_folder : options.apps_folder,
                          options.generators.empty() ? paths.bin_folder : options.generators);
    if (!all) {
        return Error{all.error().message +
                     "; --apps-folder says where applications are, and what is none is named by "
                     "--generator where a tool has that"};
    }
    auto chosen = choose_applications(*all, options.apps);
    if (!chosen) return Error{"--apps: " + chosen.error().message};
    return chosen;
}

Result<std::string> output_folder(const ApplicationOptions &options, const std::string &option) {
    // One name for one folder: processes keep each other out of it by that.
    const Result<std::string> folder = canonical_path(options.out);
    if (!folder) return Error{option + ": " + folder.error().message};
    if (folder->find('=') != std::string::npos) {
        return Error{option + ": generators take no path with '=' in it: " + *folder};
    }
    return folder;
}

std::chrono::milliseconds milliseconds(double seconds) {
    constexpr double kMostSeconds = 1e8;  // three years: more would not fit into a clock's numbers
    return std::chrono::milliseconds(static_cast<int64_t>(std::min(seconds, kMostSeconds) * 1000));
}

}  // namespace autoschedule_gpu
