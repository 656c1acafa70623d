// Where a tool finds its companions: beside itself, as they are in the build folder, in an
// installed package and in a device bundle:
//
//     bin/  the tools, pipeline_runner, NAME.generator
//     lib/  libschedule_probe.so, libautoschedule_gpu.so and other schedulers; where the package is
//           installed, whatever CMAKE_INSTALL_LIBDIR says, such as lib64/
//     apps/ NAME/app.json
#pragma once

#include <string>
#include <vector>

#include "core/support/error.h"
#include "lab/ptxas/ptxas.h"

namespace autoschedule_gpu {

struct ToolPaths {
    std::string bin_folder = {};
    std::string apps_folder = {};
    std::string runner = {};
    std::string probe = {};
    std::vector<std::string> plugin_folders = {};  // the last one: that of the Halide of this build
};

// `first_plugin_folder` may be empty.
ToolPaths tool_paths(const std::string &first_plugin_folder);

// Opens the assembler at `explicit_path`. If that is empty, looks where the environment says that a
// CUDA toolkit or NVIDIA's wheel is, and where the build found it.
Result<Ptxas> open_ptxas(const std::string &explicit_path);

// Returns a text about the machine that is timed: "8 x AMD EPYC 7543, Linux 6.1.0".
std::string machine_text();

}  // namespace autoschedule_gpu
