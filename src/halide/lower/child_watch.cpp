#include "halide/lower/child_watch.h"

#include <fstream>
#include <utility>

namespace autoschedule_gpu {

namespace {

// How often a sleeping process has run so far, as text; empty if it does not sleep.
std::string runs_of_sleeper(pid_t child) {
    std::ifstream status("/proc/" + std::to_string(child) + "/status");
    std::string runs;
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("State:") && line.find("S (") == std::string::npos) return {};
        if (line.find("ctxt_switches:") != std::string::npos) runs += line;
    }
    return runs;
}

}  // namespace

bool ChildWatch::is_asleep(Clock::time_point now) {
    std::string runs = runs_of_sleeper(child_);
    if (runs.empty() || runs != runs_) {
        runs_ = std::move(runs);
        since_ = now;
        return false;
    }
    return now - since_ >= kForEver;
}

}  // namespace autoschedule_gpu
