#include "common/user_libraries.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/extensions/loaded_libraries.h"
#include "core/support/file.h"
#include "core/support/hash.h"
#include "core/support/hex.h"

namespace autoschedule_gpu {
namespace {

// `names`: "a, b"; of executors that there are.
Error no_executor(const std::string &wanted, const std::string &names) {
    return Error{"--executor: there is no '" + wanted + "' in any --library; " +
                 (names.empty() ? "they have none" : "there are: " + names)};
}

}  // namespace

void add_library_options(CLI::App &app, LibraryOptions &o) {
    app.add_option("--library", o.libraries,
                   "a library of your own (include/README.md); generators load it beside the "
                   "plugin; any number");
    app.add_option("--executor", o.executor,
                   "who runs schedules: a name that a --library registers (else: this machine)");
}

Result<Extensions> user_extensions(const LibraryOptions &options, const TakenNames &taken) {
    std::vector<LoadedLibrary> loaded;
    for (const std::string &path : options.libraries) {
        const Result<LoadedLibrary> library = load_library(path);
        if (!library) return Error{"--library: " + library.error().message};
        loaded.push_back(*library);
    }
    Result<Extensions> extensions = Extensions::of(loaded, taken);
    if (!extensions) return Error{"--library: " + extensions.error().message};
    return extensions;
}

Result<std::shared_ptr<const api::Executor>> chosen_executor(const LibraryOptions &options) {
    std::shared_ptr<const api::Executor> chosen;
    const Result<Extensions> extensions = user_extensions(options);
    if (!extensions) return extensions.error();
    if (options.executor.empty()) return chosen;
    std::string names;
    for (const Extension &extension : extensions->all()) {
        for (const auto &executor : extension.added.executors) {
            if (executor->name() == options.executor) chosen = executor;
            names += (names.empty() ? "" : ", ") + std::string(executor->name());
        }
    }
    if (chosen == nullptr) return no_executor(options.executor, names);
    return chosen;
}

Result<std::string> plugin_argument(const LibraryOptions &options, const std::string &plugin) {
    std::string argument = plugin;
    for (const std::string &path : options.libraries) {
        if (path.find(',') != std::string::npos) {
            return Error{"--library: generators take no path with a comma: " + path};
        }
        argument += "," + absolute_path(path);
    }
    return argument;
}

Result<std::string> plugin_version(const LibraryOptions &options, const std::string &own_version) {
    std::string version = own_version;
    for (const std::string &path : options.libraries) {
        const Result<std::string> bytes = read_file(path);
        if (!bytes) return Error{"--library: " + bytes.error().message};
        version += "+" + std::filesystem::path(path).stem().string() + "." +
                   to_hex(Hasher().add(*bytes).value());
    }
    return version;
}

}  // namespace autoschedule_gpu
