// Reads a Halide pipeline into a Dag, after which no Halide type is needed. The pipeline is not
// changed.
#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "core/support/error.h"
#include "halide/read/given_sizes.h"

namespace autoschedule_gpu {

// Returns the Dag, or an error: sentences that name the Func or parameter and say what to write.
// Errors are
//   - an output without an estimate in some dimension ("output f needs an estimate for
//     dimension 1 (y): f.set_estimate(y, min, extent)"), all such dimensions in one message;
//   - an input image without an estimate, where a region or a loop depends on its size (of a scalar
//     parameter something is assumed: Dag::assumed);
//   - a Func or stage that the user has already scheduled (loops, compute or store level, memory
//     type, specialization, wrapper), if that is not to be kept, or can't be;
//   - an access that Halide can't bound.
// `sizes`, by the names that the pipeline has (sizes_of), take the place of estimates.
// Different threads may read different pipelines.
enum class Respect : uint8_t { keep, refuse };  // what users have scheduled
Result<Dag> read_pipeline(const Halide::Pipeline &pipeline, const Halide::Target &target,
                          Respect respect = Respect::keep, const GivenSizes &sizes = {});

// The same of a copy of a pipeline in which reductions have been taken apart. `funcs`: its Funcs by
// their numbers, which the Dag has as well. `factored`: those that were taken apart, or made, by
// their numbers, with the names that the Dag is to have for them.
Result<Dag> read_factored(const Halide::Pipeline &copy, const std::vector<Halide::Func> &funcs,
                          const std::map<int, std::string> &factored, const Halide::Target &target,
                          Respect respect = Respect::keep, const GivenSizes &sizes = {});

}  // namespace autoschedule_gpu
