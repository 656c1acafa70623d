// What the autoscheduler says of a pipeline's launches, read from its JSON report:
//
//     {"kernels": [{"name": "blur", "shared_bytes": 4608, "threads": [32, 8, 1],
//                   "blocks": [48, 96, 1]}, ...], ...}
//
// "name" is needed. The others may be missing, and null stands for what is known only at run time.
// Whatever else is in the report is of no concern here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"

namespace autoschedule_gpu {

struct Launch {
    std::string kernel = {};
    std::optional<int64_t> shared_bytes = {};
    std::array<int64_t, 3> threads = {0, 0, 0};  // 0: not said
    std::array<int64_t, 3> blocks = {0, 0, 0};
};

// Errors name what was expected and what was found; those of a file begin with its path.
Result<std::vector<Launch>> parse_launch_report(std::string_view json);
Result<std::vector<Launch>> read_launch_report(const std::string &path);

// For each kernel of the device code, in its order, the index of its launch or -1. A launch has
// either the kernel's own name, up to the counter that Halide adds to a repeated one ("__2"), or
// that of its Func: Halide calls the kernel of stage 0 of the Func f "_kernel_f_s0_...". Several
// kernels of one name take the launches of that name in turn. If not one kernel is found by name,
// and there are as many of both, order decides.
std::vector<int> match_launches(const std::vector<std::string> &kernels,
                                const std::vector<Launch> &launches);

}  // namespace autoschedule_gpu
