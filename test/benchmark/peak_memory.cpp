#include "benchmark/peak_memory.h"

#include <malloc.h>

#include <fstream>
#include <string>

namespace autoschedule_gpu {

void reset_peak_memory() {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << "5";  // proc(5): resets VmHWM
}

std::optional<double> peak_memory_mib() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind("VmHWM:", 0) == 0) return std::stod(line.substr(6)) / 1024;
    }
    return std::nullopt;
}

}  // namespace autoschedule_gpu
