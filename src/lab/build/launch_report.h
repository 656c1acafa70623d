// What the autoscheduler says about a pipeline's launches, read from its JSON report:
//
//     {"kernels": [{"name": "blur", "shared_bytes": 4608, "threads": [32, 8, 1],
//                   "blocks": [48, 96, 1]}, ...], ...}
//
// "name" is required. The others may be missing, and null stands for what is known only at run
// time. All other members of the report are ignored.
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
    std::array<int64_t, 3> threads = {0, 0, 0};  // 0: not known
    std::array<int64_t, 3> blocks = {0, 0, 0};
};

// Errors name what was expected and what was found; those for a file begin with its path.
Result<std::vector<Launch>> parse_launch_report(std::string_view json);
Result<std::vector<Launch>> read_launch_report(const std::string &path);

// Returns, for each kernel of the device code in order, the index of its launch, or -1. A launch
// has either the kernel's own name, without the counter that Halide adds to a repeated one ("__2"),
// or the name of its Func: Halide calls the kernel of stage 0 of the Func f "_kernel_f_s0_...".
// Several kernels of one name take the launches of that name in turn. If no kernel is found by
// name, and there are as many launches as kernels, they are matched in order.
std::vector<int> match_launches(const std::vector<std::string> &kernels,
                                const std::vector<Launch> &launches);

}  // namespace autoschedule_gpu
