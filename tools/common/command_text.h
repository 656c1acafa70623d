// A tool's own command line, as text.
#pragma once

#include <string>
#include <vector>

#include "core/process/subprocess.h"

namespace autoschedule_gpu {

// For a shell, which makes the same arguments of it. It goes into the tool's results.
inline std::string command_text(const std::string &tool, int argc, char **argv) {
    std::vector<std::string> command{tool};
    command.insert(command.end(), argv + 1, argv + argc);
    return shell_text(command);
}

}  // namespace autoschedule_gpu
