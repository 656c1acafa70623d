// Libraries of a user's own that a tool loads, and hands to the generators that it starts:
// --library, and --executor, which is in one of them (include/autoschedule_gpu/register.h).
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "autoschedule_gpu/executor.h"
#include "core/extensions/extensions.h"
#include "core/support/error.h"

namespace autoschedule_gpu {

struct LibraryOptions {
    std::vector<std::string> libraries;
    std::string executor;
};

void add_library_options(CLI::App &app, LibraryOptions &options);

// Loads the libraries and returns what they add. `taken` are names that they may not use. Errors of
// this function and the next ones begin with the option that is wrong.
Result<Extensions> user_extensions(const LibraryOptions &options, const TakenNames &taken = {});

// Returns the executor that is asked for; null: runs are this process's.
Result<std::shared_ptr<const api::Executor>> chosen_executor(const LibraryOptions &options);

// Returns the value of a generator's -p: the plugin and the libraries.
Result<std::string> plugin_argument(const LibraryOptions &options, const std::string &plugin);

// Returns the version under which records know what the plugin makes: its own, and the names and
// hashes of the libraries, with which it makes something else.
Result<std::string> plugin_version(const LibraryOptions &options, const std::string &own_version);

}  // namespace autoschedule_gpu
