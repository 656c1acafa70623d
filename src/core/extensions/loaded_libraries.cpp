#include "core/extensions/loaded_libraries.h"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>
#include <map>
#include <system_error>

namespace autoschedule_gpu {
namespace {

constexpr const char *kSymbol = "autoschedule_gpu_library";

// The names of all that is loaded; that of the program itself is empty. The loader is locked while
// it calls back, so nothing is opened there.
std::vector<std::string> loaded_objects() {
    std::vector<std::string> names;
    dl_iterate_phdr(
        [](dl_phdr_info *info, size_t, void *data) {
            static_cast<std::vector<std::string> *>(data)->push_back(info->dlpi_name);
            return 0;
        },
        &names);
    return names;
}

// What the symbol means to that object or to one that it is linked to; null: nothing.
const void *find_symbol(const std::string &object) {
    void *handle =
        dlopen(object.empty() ? nullptr : object.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
    if (handle == nullptr) return nullptr;  // the kernel's own object has no file
    const void *symbol = dlsym(handle, kSymbol);
    dlclose(handle);
    return symbol;
}

}  // namespace

std::vector<LoadedLibrary> loaded_libraries() {
    std::map<std::string, const void *> by_path;
    for (const std::string &object : loaded_objects()) {
        const void *symbol = find_symbol(object);
        Dl_info owner;
        if (symbol != nullptr && dladdr(symbol, &owner) != 0) by_path[owner.dli_fname] = symbol;
    }
    std::vector<LoadedLibrary> libraries;
    for (const auto &[path, symbol] : by_path) {
        libraries.push_back({path, static_cast<const api::LibraryEntry *>(symbol)});
    }
    return libraries;
}

Result<LoadedLibrary> load_library(const std::string &path) {
    std::error_code error;
    const std::string absolute = std::filesystem::absolute(path, error).string();
    if (error) return Error{path + ": " + error.message()};
    void *handle = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char *why = dlerror();
        return Error{"can't load " + path + ": " + (why == nullptr ? "no reason is given" : why)};
    }
    const void *symbol = dlsym(handle, kSymbol);
    if (symbol == nullptr) {
        return Error{path + " registers nothing: AUTOSCHEDULE_GPU_LIBRARY (register.h) stands in " +
                     "none of its sources"};
    }
    return LoadedLibrary{absolute, static_cast<const api::LibraryEntry *>(symbol)};
}

}  // namespace autoschedule_gpu
