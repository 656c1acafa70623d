#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "core/support/file.h"
#include "lab/ptxas/ptxas.h"

namespace autoschedule_gpu {

namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path &path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

std::vector<fs::path> folders_of(const std::string &path_variable) {
    std::vector<fs::path> folders;
    for (size_t start = 0; start < path_variable.size();) {
        const size_t end = std::min(path_variable.find(':', start), path_variable.size());
        if (end > start) folders.emplace_back(path_variable.substr(start, end - start));
        start = end + 1;
    }
    return folders;
}

// An nvcc on PATH may be a link into the toolkit's own folder.
std::optional<fs::path> beside_nvcc(const std::vector<fs::path> &folders) {
    for (const fs::path &folder : folders) {
        if (!is_program(folder / "nvcc")) continue;
        if (const Result<std::string> nvcc = canonical_path(folder / "nvcc")) {
            const fs::path beside = fs::path(*nvcc).parent_path() / "ptxas";
            if (is_program(beside)) return beside;
        }
        if (is_program(folder / "ptxas")) return folder / "ptxas";
    }
    return std::nullopt;
}

// Sorted: a folder's own order is not to decide.
std::vector<fs::path> entries_of(const fs::path &folder) {
    std::vector<fs::path> entries;
    std::error_code code;
    for (fs::directory_iterator i(folder, code), end; !code && i != end; i.increment(code)) {
        entries.push_back(i->path());
    }
    std::sort(entries.begin(), entries.end());
    return entries;
}

// lib/python3.X/site-packages/nvidia/cuda_nvcc/bin for CUDA 12, .../nvidia/cu13/bin for CUDA 13.
std::optional<fs::path> in_wheel(const fs::path &virtual_environment) {
    for (const fs::path &python : entries_of(virtual_environment / "lib")) {
        for (const fs::path &package : entries_of(python / "site-packages" / "nvidia")) {
            if (is_program(package / "bin" / "ptxas")) return package / "bin" / "ptxas";
        }
    }
    return std::nullopt;
}

Error not_found(const PtxasSearch &search) {
    std::string places = "beside nvcc and on PATH";
    for (const std::string &folder : search.toolkit_folders) {
        if (!folder.empty()) places += ", in " + folder + "/bin";
    }
    if (!search.virtual_environment.empty()) {
        places += ", in the Python packages of " + search.virtual_environment;
    }
    return Error{"ptxas not found (" + places +
                 "); install the CUDA Toolkit or the Python package nvidia-cuda-nvcc-cu12, or give "
                 "its path"};
}

}  // namespace

Result<std::string> find_ptxas(const PtxasSearch &search) {
    if (!search.explicit_path.empty()) {
        if (is_program(search.explicit_path)) return search.explicit_path;
        return Error{search.explicit_path + " is not a program"};
    }
    const std::vector<fs::path> folders = folders_of(search.path_variable);
    if (const auto found = beside_nvcc(folders)) return found->string();
    for (const fs::path &folder : folders) {
        if (is_program(folder / "ptxas")) return (folder / "ptxas").string();
    }
    for (const std::string &folder : search.toolkit_folders) {
        const fs::path candidate = fs::path(folder) / "bin" / "ptxas";
        if (!folder.empty() && is_program(candidate)) return candidate.string();
    }
    if (!search.virtual_environment.empty()) {
        if (const auto found = in_wheel(search.virtual_environment)) return found->string();
    }
    return not_found(search);
}

std::string environment_of_library(const void *symbol) {
    Dl_info library{};
    if (dladdr(symbol, &library) == 0) return {};
    fs::path path(library.dli_fname);
    for (int levels = 0; levels < 6; ++levels) path = path.parent_path();
    return path.string();
}

Result<int> architecture_of(const GpuModel &model) {
    if (model.api != GpuApi::cuda || model.compute_capability_major == 0) {
        return Error{"the GPU '" + model.name +
                     "' has no CUDA architecture for ptxas; choose a CUDA device"};
    }
    return static_cast<int>(10 * model.compute_capability_major + model.compute_capability_minor);
}

}  // namespace autoschedule_gpu
