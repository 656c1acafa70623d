// Runs another program to its end: no shell, arguments passed as they are, standard input empty,
// standard output and error captured, and never longer than a given time.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "core/support/error.h"

namespace autoschedule_gpu {

enum class ProcessEnd : uint8_t { exited, killed_by_signal, timed_out, out_of_memory };

struct ProcessResult {
    ProcessEnd end = ProcessEnd::exited;
    int code = 0;  // exit status, or the signal's number; 0 after a timeout or at a memory limit
    std::string out;
    std::string err;  // each cut off at kMaxCapturedBytes
    double wall_s = 0;
    // Most memory that was resident at once, in the program itself. The system's own figure also
    // counts this process's memory, which the program began as a copy of; where that may hide the
    // program's, this is what was seen last, at most 20 ms before the end.
    int64_t peak_memory_bytes = 0;
};

inline constexpr size_t kMaxCapturedBytes = size_t{64} << 20;

// `arguments[0]` is the program: a path, or a name to be found as the C library's execvp does. It
// gets this process's environment and a process group of its own, and the whole group is killed
// when the time is up, when more than `memory_limit_bytes` (0: any) are resident, or when the
// program has ended and left children behind. It is killed too when the calling thread ends in
// whatever way, so that nothing goes on unwatched. An error only if the program cannot be started.
Result<ProcessResult> run_process(const std::vector<std::string> &arguments,
                                  std::chrono::milliseconds timeout,
                                  int64_t memory_limit_bytes = 0);

// The same words for a POSIX shell: quoted where need be, with blanks between.
std::string shell_text(const std::vector<std::string> &arguments);

}  // namespace autoschedule_gpu
