// Runs the program pipeline_runner, which loads a candidate's library in a process of its own:
//
//     run_reference: library of a plain CPU schedule ─► folder of expected outputs
//     run_candidate: library + that folder ─► verified? how fast?
//
// Each call starts one process, which is killed when the time is up and ends when this process
// does. Hold a DeviceLock during a call that is timed. Candidates may be run by somebody else
// (autoschedule_gpu/executor.h); references are computed here.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "autoschedule_gpu/executor.h"
#include "lab/build/failure.h"
#include "lab/run/device.h"
#include "lab/run/input_range.h"
#include "lab/run/noise.h"
#include "lab/run/run_report.h"
#include "lab/run/tolerance.h"

namespace autoschedule_gpu {

struct Runner {
    std::string program = {};                            // pipeline_runner
    std::shared_ptr<const api::Executor> executor = {};  // null: this process starts it
};

// Extents that replace the estimates of one buffer argument: {"input", {1531, 2557, 3}}.
struct ExtentsOf {
    std::string argument = {};
    std::vector<int64_t> extents = {};
};

struct ReferenceJob {
    std::string library = {};
    std::string name = {};      // the function's name
    std::string expected = {};  // the folder to make; an earlier reference there is replaced
    std::vector<ExtentsOf> extents = {};
    InputRanges inputs = {};  // of inputs that are not filled as usual
    uint64_t seed = 1;
    std::chrono::milliseconds timeout{std::chrono::minutes{10}};
};

struct RunJob {
    std::string library = {};
    std::string name = {};
    std::string expected = {};  // the folder that run_reference made
    // Whether the process itself takes the device's lock, from its first use of the device to its
    // last. It then ends itself after `timeout`, to which the wait for the lock does not count.
    bool locks_device = false;
    RunDevice device = RunDevice::opencl;
    NoiseProtocol noise = {};
    Tolerance tolerance = {};
    std::chrono::milliseconds timeout{std::chrono::minutes{2}};
};

// Kinds of failure: setup, halide, timeout, crash. The report has one time, that of the only run,
// and names outputs that are constant.
Outcome<RunReport> run_reference(const Runner &runner, const ReferenceJob &job);

// Kinds of failure: setup, halide, compile, resource, launch, wrong_output, timeout, crash.
Outcome<RunReport> run_candidate(const Runner &runner, const RunJob &job);

// Return the commands that run_reference and run_candidate run.
std::vector<std::string> reference_command(const std::string &runner, const ReferenceJob &job);
std::vector<std::string> run_command(const std::string &runner, const RunJob &job);

}  // namespace autoschedule_gpu
