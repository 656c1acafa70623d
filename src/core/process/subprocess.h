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
    std::string err;  // each of the two is cut off at kMaxCapturedBytes
    double wall_s = 0;
    // The most memory of the program itself that was resident at once. The system's own figure also
    // counts this process's memory, of which the program began as a copy. Where that may hide the
    // program's own peak, this is the peak seen last, at most 20 ms before the end.
    int64_t peak_memory_bytes = 0;
};

inline constexpr size_t kMaxCapturedBytes = size_t{64} << 20;

// Runs `arguments[0]`, a path or a name that is looked up as execvp does. The program gets this
// process's environment and a process group of its own. The whole group is killed when the time is
// up, when more than `memory_limit_bytes` are resident (0: no limit), or when the program has ended
// and left children behind. It is also killed when the calling thread ends, were it by SIGKILL, so
// that nothing runs on unwatched (guardian.h). Returns an error only if the program cannot be
// started, or if somebody else in this process takes its exit status.
Result<ProcessResult> run_process(const std::vector<std::string> &arguments,
                                  std::chrono::milliseconds timeout,
                                  int64_t memory_limit_bytes = 0);

// Returns the arguments as text for a POSIX shell, separated by blanks and quoted where necessary.
std::string shell_text(const std::vector<std::string> &arguments);

}  // namespace autoschedule_gpu
