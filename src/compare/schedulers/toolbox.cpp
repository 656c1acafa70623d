#include "compare/schedulers/toolbox.h"

#include <filesystem>

#include "core/support/file.h"

namespace autoschedule_gpu {

Result<std::string> find_plugin(const Toolbox &tools, const std::string &name) {
    for (const std::string &folder : tools.plugin_folders) {
        const std::filesystem::path path = std::filesystem::path(folder) / name;
        if (is_there(path.string())) return path.string();
    }
    std::string places;
    for (const std::string &folder : tools.plugin_folders) places += " " + folder;
    return Error{name + " is in none of these folders:" + places};
}

}  // namespace autoschedule_gpu
