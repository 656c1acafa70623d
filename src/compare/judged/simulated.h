// Schedules with simulated cycles (test/judge/README.md): one JSON object per line, of which these
// fields are read.
//
//     application            "mat_mul", or "mat_mul 256": the first word names the generator
//     generator_parameters   ["M=128", ...]
//     schedule               how it was made; "manual" is the expert's
//     decisions              the list that makes it again; none in the expert's
//     cycles                 of all kernels
//     kernels                [{"name": "_kernel_output_s0_...", "cycles": ..., "registers": ...},
//                             ...]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"

namespace autoschedule_gpu {

struct SimulatedKernel {
    std::string name = {};
    double cycles = 0;
    int64_t registers = 0;  // per thread
};

struct SimulatedSchedule {
    std::string application = {}, schedule = {};
    std::vector<std::string> generator_parameters = {};  // "M=128"
    std::string decisions = {};                          // as JSON; may be empty
    double cycles = 0;
    std::vector<SimulatedKernel> kernels = {};

    std::string generator() const { return application.substr(0, application.find(' ')); }
};

// The error names the line.
Result<std::vector<SimulatedSchedule>> parse_simulated(std::string_view json_lines);

// Reads FOLDER/schedules.jsonl.xz by the program xz, or FOLDER/schedules.jsonl.
Result<std::vector<SimulatedSchedule>> read_simulated(const std::string &folder);

}  // namespace autoschedule_gpu
