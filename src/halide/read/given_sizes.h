// Sizes that a pipeline is read at instead of its own estimates.
#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

#include "core/dag/interval.h"
#include "core/support/error.h"

namespace autoschedule_gpu {

// By names of outputs, of input images and of scalar parameters. What is not named keeps the
// estimates that it has.
struct GivenSizes {
    std::map<std::string, std::vector<Interval>> outputs, inputs;  // a range per dimension
    std::map<std::string, double> scalars;

    friend bool operator==(const GivenSizes &, const GivenSizes &) = default;
};

// The same by the names that the pipeline has in this process: a file says "blur" where Halide
// calls a Func "blur$1", because there was another. An Error if the pipeline has not what is named,
// or not with as many dimensions, or does not let it have such sizes. It names the field ("outputs,
// \"blur\"") and says what there is instead.
Result<GivenSizes> sizes_of(const Halide::Pipeline &pipeline, const GivenSizes &named);

}  // namespace autoschedule_gpu
