// Bounds that hold whatever the values of parameters: those of which a range is declared
// (Input<float> levels{"levels", 10, 1, 64}) are replaced by the ends of it, as far as Halide's
// interval arithmetic can tell.
#pragma once

#include <Halide.h>

#include <optional>
#include <vector>

#include "core/dag/region_program.h"
#include "halide/read/read_compile.h"
#include "halide/read/read_estimates.h"
#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {

// The way of such bounds into a region program, which RegionCode::set_widest is given.
struct WidestBox {
    RegionCompiler compiler;
    std::vector<RegionDimension> dims;
};

// Of a box in terms of register variables, those of `inputs` intervals. nullopt: of no dimension
// anything is known.
std::optional<WidestBox> widest_box(const std::vector<HI::Interval> &box,
                                    const Estimates &estimates, size_t inputs);

// The range that users have declared of a parameter; everything, if they have not or it is none.
HI::Interval declared_range(const Halide::Parameter &param);

// Returns true if the expression consists of registers and constants only.
bool has_registers_only(const Halide::Expr &expr);

}  // namespace autoschedule_gpu::reading
