// Where schedules are run: on this machine, or wherever a library sends them, for instance by ssh
// or a batch system to a machine that has the device.
//
//     RunRequest: a command, files ─► Executor ─► RunResult: what it printed, how it ended
//
// The command computes a pipeline, compares its output with the reference's, times it, and prints a
// report. An executor runs it unchanged, or with another prefix where its files are, and hands back
// what it printed: what counts as right and as fast is not the executor's to decide.
//
// A library registers executors (register.h); the user chooses one by `autotune --library FILE
// --executor NAME`, and likewise for `collect` and `autotune worker`. run() is called from several
// threads, but what is timed is run alone. It must not throw. Needs C++17 and the standard library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace autoschedule_gpu::api {

struct RunRequest {
    std::vector<std::string> command;  // a program and its arguments
    // What the command reads, by absolute paths, as they are in the command: the program itself, a
    // library that does not change, and a folder of outputs to compare with. One that reads them
    // elsewhere must find them under the same paths.
    std::vector<std::string> files;
    // Then the command is to be ended and the result to say `timed_out`.
    double time_limit_s = 0;
};

enum class RunEnd : uint8_t {
    exited,
    killed_by_signal,
    timed_out,
    lost,        // through no fault of the command: it is run again, a few times
    not_started  // `errors` says why; nothing can be measured
};

struct RunResult {
    RunEnd end = RunEnd::not_started;
    int code = 0;        // exit status, or the signal's number
    std::string output;  // what the command printed to its standard output
    std::string errors;  // and to its standard error
};

class Executor {
public:
    virtual ~Executor() = default;

    virtual std::string_view name() const = 0;

    virtual RunResult run(const RunRequest &request) const = 0;
};

}  // namespace autoschedule_gpu::api
