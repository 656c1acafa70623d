#include "lab/run/core_waits.h"

#include <cstdint>
#include <filesystem>
#include <fstream>

namespace autoschedule_gpu {

std::optional<double> waited_for_cores_ms() {
    constexpr double kMsPerNs = 1e-6;
    std::error_code error;
    std::optional<double> sum;
    for (std::filesystem::directory_iterator i("/proc/self/task", error), end; !error && i != end;
         i.increment(error)) {
        uint64_t ran_ns = 0, waited_ns = 0;
        std::ifstream file(i->path() / "schedstat");
        // A thread that has ended meanwhile has no file.
        if (file >> ran_ns >> waited_ns) {
            sum = sum.value_or(0) + kMsPerNs * static_cast<double>(waited_ns);
        }
    }
    return sum;
}

}  // namespace autoschedule_gpu
