// Runs another program to its end: no shell, arguments passed as they are, standard input empty,
// standard output and error captured, and never longer than a given time.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "support/error.h"

namespace autoschedule_gpu {

enum class ProcessEnd : uint8_t { exited, killed_by_signal, timed_out };

struct ProcessResult {
    ProcessEnd end = ProcessEnd::exited;
    int code = 0;  // exit status, or the signal's number; 0 after a timeout
    std::string out;
    std::string err;  // each cut off at kMaxCapturedBytes
};

inline constexpr size_t kMaxCapturedBytes = size_t{64} << 20;

// `arguments[0]` is the program: a path, or a name to be found as the C library's execvp does. It
// gets this process's environment and a process group of its own, and the whole group is killed
// when the time is up or when the program has ended and left children behind. An error only if the
// program cannot be started.
Result<ProcessResult> run_process(const std::vector<std::string> &arguments,
                                  std::chrono::milliseconds timeout);

}  // namespace autoschedule_gpu
