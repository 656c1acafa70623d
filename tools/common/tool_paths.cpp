#include "common/tool_paths.h"

#include <sys/utsname.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "core/support/file.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

std::string environment(const char *name) {
    const char *value = std::getenv(name);
    return value ? value : "";
}

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("model name", 0) != 0) continue;
        const size_t colon = line.find(": ");
        if (colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown processor";
}

// Where an installed package has its libraries, which may be lib64 or lib/x86_64-linux-gnu; and
// lib, where the build folder, the wheel and a device bundle have them.
std::vector<std::string> library_folders(const fs::path &bin) {
    const fs::path installed = (bin / AUTOSCHEDULE_GPU_LIBRARIES_FROM_TOOLS).lexically_normal();
    const fs::path beside = bin.parent_path() / "lib";
    if (installed == beside) return {beside.string()};
    return {installed.string(), beside.string()};
}

std::string probe_in(const std::vector<std::string> &folders) {
    std::string probe;
    for (const std::string &folder : folders) {
        probe = folder + "/libschedule_probe.so";
        if (is_there(probe)) break;
    }
    return probe;
}

}  // namespace

ToolPaths tool_paths(const std::string &first_plugin_folder) {
    std::error_code unknown;
    const fs::path bin = fs::read_symlink("/proc/self/exe", unknown).parent_path();
    const std::vector<std::string> libraries = library_folders(bin);
    ToolPaths paths{.bin_folder = bin.string(),
                    .apps_folder = (bin.parent_path() / "apps").string(),
                    .runner = (bin / "pipeline_runner").string(),
                    .probe = probe_in(libraries)};
    if (!first_plugin_folder.empty()) paths.plugin_folders.push_back(first_plugin_folder);
    paths.plugin_folders.insert(paths.plugin_folders.end(), libraries.begin(), libraries.end());
    paths.plugin_folders.push_back(AUTOSCHEDULE_GPU_HALIDE_LIBRARIES);
    return paths;
}

Result<Ptxas> open_ptxas(const std::string &explicit_path) {
    const auto path =
        find_ptxas({.explicit_path = explicit_path,
                    .path_variable = environment("PATH"),
                    .toolkit_folders = {environment("CUDA_HOME"), environment("CUDA_PATH")},
                    .virtual_environment = environment("VIRTUAL_ENV")});
    if (path) return Ptxas::open(*path);
    const std::string built_with = AUTOSCHEDULE_GPU_PTXAS;
    if (explicit_path.empty() && is_there(built_with)) return Ptxas::open(built_with);
    return path.error();
}

std::string machine_text() {
    utsname name{};
    uname(&name);
    return std::to_string(std::thread::hardware_concurrency()) + " x " + processor_name() + ", " +
           name.sysname + " " + name.release;
}

}  // namespace autoschedule_gpu
