// The file that `autoscheduler.sizes` names: several sizes of a pipeline, for which there is to be
// one schedule.
//
//     {
//       "format": "autoschedule_gpu.sizes",
//       "version": 1,
//       "sizes": [
//         {"name": "photograph", "weight": 3,
//          "outputs": {"blur": [[0, 4096], [0, 3072]]},
//          "inputs": {"image": [[0, 4096], [0, 3072]]}, "scalars": {"radius": 2}},
//         {"name": "thumbnail", "outputs": {"blur": [[0, 128], [0, 96]]}}
//       ]
//     }
//
// "outputs", "inputs" (images) and "scalars" name what the pipeline has; each may be missing. A
// range is [min, extent], one for each dimension. What is not named keeps the estimates that it
// has. Names are those of the algorithm, without a counter that Halide adds. "weight", a number
// above 0, says how often that size occurs beside others, or how much it matters; 1 where it is
// missing. Names differ. There are 1 to 16 sizes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "halide/read/given_sizes.h"

namespace autoschedule_gpu {

inline constexpr size_t kMostSizes = 16;

struct NamedSizes {
    std::string name;
    double weight = 1;
    GivenSizes sizes;
};

// The Error says where, what was expected and what was found.
Result<std::vector<NamedSizes>> parse_sizes(std::string_view json);

// The same of a file, checked against the pipeline.
Result<std::vector<NamedSizes>> read_sizes(const std::string &path,
                                           const Halide::Pipeline &pipeline);

}  // namespace autoschedule_gpu
