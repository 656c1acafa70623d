// Which Funcs and images a pipeline reads for something. Halide removes reads whose values make no
// difference (select(a > a, b, c), a product with zero), and then has no variable for where the
// rows of an image begin that is read nowhere else.
#pragma once

#include <Halide.h>

#include <set>
#include <string>
#include <vector>

#include "halide/read/read_estimates.h"
#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {

// Returns the keys of what outputs depend on, of images and of Funcs, outputs included, as far as
// Halide's simplification of each stage alone tells: one that is missing makes no difference.
// `stages`: of all Funcs, those that are read before those that read them.
std::set<std::string> needed(const std::vector<const StageSource *> &stages,
                             const std::vector<HI::Function> &outputs, const Estimates &estimates);

}  // namespace autoschedule_gpu::reading
