// Runs jobs in child processes, so that a crash or a hang of one is a result of that one and hides
// no other. A child does many jobs in turn (start-up is dear: Halide compiles its runtime once per
// process); when it dies, a new one goes on with the next job.
//
// Call from a process that has no threads yet: children are forked.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace autoschedule_gpu::testing {

struct IsolatedOptions {
    double timeout_s = 120;   // of one job
    int jobs_per_child = 50;  // then a fresh child, against slow leaks
};

struct IsolatedOutcome {
    enum class Kind { finished, crashed, timed_out };
    Kind kind = Kind::finished;
    std::string result;  // finished: what the job returned
    std::string detail;  // otherwise: the signal or exit status, and the last lines it printed
    double seconds = 0;
};

// Calls report(i, outcome) in this process for every i in [0, count), in order, while job(i) runs
// in a child. What jobs print is kept back, except for the lines that a crash leaves behind.
void run_isolated(size_t count, const std::function<std::string(size_t)> &job,
                  const IsolatedOptions &options,
                  const std::function<void(size_t, const IsolatedOutcome &)> &report);

}  // namespace autoschedule_gpu::testing
