// What the steps of a measurement share. A program runs under limits, and if anything but its own
// exit ends it, that is a failure of the same kind in all steps.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/process/subprocess.h"
#include "lab/build/failure.h"

namespace autoschedule_gpu {

struct StepLimits {
    std::chrono::milliseconds timeout{std::chrono::minutes{10}};
    int64_t memory_bytes = 0;  // resident; 0: no limit
};

// What a step cost.
struct StepCost {
    double wall_s = 0;
    int64_t peak_memory_bytes = 0;  // resident
};

// Runs `command`; `who` begins the reason of a failure ("the generator"). `folder` is where it
// writes; may be empty. Kinds of failure: setup if it cannot be started, or failed in whatever way
// because a disk is full; timeout, resource (its memory), crash. A nonzero exit status for any
// other reason is not a failure here.
Outcome<ProcessResult> run_step(const std::string &who, const std::vector<std::string> &command,
                                const std::string &folder, const StepLimits &limits);

// Returns how `command` ended, whoever ran it, as run_step does; an error says that it was not
// started.
Outcome<ProcessResult> end_of_step(const std::string &who, const std::vector<std::string> &command,
                                   const std::string &folder, const StepLimits &limits,
                                   Result<ProcessResult> result);

StepCost cost_of(const ProcessResult &result);

// Returns the end of a program's output, for Failure::output.
std::string end_of_output(const ProcessResult &result);

// Returns a message in one line: white space becomes single blanks, and what is too long for a
// table's cell is cut off.
std::string in_one_line(std::string_view message);

}  // namespace autoschedule_gpu
