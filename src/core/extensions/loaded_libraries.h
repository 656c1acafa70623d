// Which of the libraries that are loaded into this process register something
// (autoschedule_gpu/register.h).
#pragma once

#include <string>
#include <vector>

#include "autoschedule_gpu/register.h"
#include "core/support/error.h"

namespace autoschedule_gpu {

struct LoadedLibrary {
    std::string path;
    const api::LibraryEntry *entry = nullptr;  // of any version
};

// By path. Halide opens each library of `-p` with symbols of its own, so that only a look at every
// library that is loaded finds them.
std::vector<LoadedLibrary> loaded_libraries();

// Loads a library into this process, where it stays. An error if it can't be loaded, or registers
// nothing.
Result<LoadedLibrary> load_library(const std::string &path);

}  // namespace autoschedule_gpu
