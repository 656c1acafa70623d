// The programs and libraries that a comparison uses.
#pragma once

#include <string>
#include <vector>

#include "core/support/error.h"
#include "lab/ptxas/ptxas.h"

namespace autoschedule_gpu {

struct Toolbox {
    std::string runner = {};                  // pipeline_runner
    std::string probe = {};                   // libschedule_probe.so
    std::vector<std::string> plugin_folders;  // where the schedulers' libraries are looked for
    std::string compiler = "cc";              // links
    const Ptxas *ptxas = nullptr;             // may be missing: no registers and spills then
};

// Returns the library of that file name in the first of the plugin folders that has it.
Result<std::string> find_plugin(const Toolbox &tools, const std::string &name);

}  // namespace autoschedule_gpu
