#include "lab/run/core_waits.h"

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "core/support/stopwatch.h"

namespace autoschedule_gpu {

namespace {

namespace fs = std::filesystem;

constexpr double kLongestWait_s = 2;

// Calls `visit` with the folder of each thread of this process.
template <typename Visit>
void for_each_thread(const Visit &visit) {
    std::error_code error;
    for (fs::directory_iterator i("/proc/self/task", error), end; !error && i != end;
         i.increment(error)) {
        visit(i->path());
    }
}

// The state of a thread stands behind its name, which is in parentheses and may have any character.
bool is_ready(const fs::path &thread) {
    std::ifstream file(thread / "stat");
    std::string line;
    std::getline(file, line);
    const size_t name_ends = line.rfind(") ");
    return name_ends != std::string::npos && line.compare(name_ends + 2, 1, "R") == 0;
}

}  // namespace

bool other_threads_are_ready() {
    const std::string own = std::to_string(gettid());
    bool found = false;
    for_each_thread([&](const fs::path &thread) {
        found = found || (thread.filename() != own && is_ready(thread));
    });
    return found;
}

std::optional<double> CoreWaits::so_far_ms() {
    constexpr double kMsPerNs = 1e-6;
    const Stopwatch watch;
    while (others_sleep_ && others_are_ready_()) {
        others_sleep_ = watch.seconds() < kLongestWait_s;
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    std::optional<double> sum;
    for_each_thread([&](const fs::path &thread) {
        uint64_t ran_ns = 0, waited_ns = 0;
        std::ifstream file(thread / "schedstat");
        // A thread that has ended meanwhile has no file.
        if (!(file >> ran_ns >> waited_ns)) return;
        sum = sum.value_or(0) + kMsPerNs * static_cast<double>(waited_ns);
    });
    return sum;
}

}  // namespace autoschedule_gpu
