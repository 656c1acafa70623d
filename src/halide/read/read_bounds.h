// Halide's symbolic bounds analysis, and the way of its results into region programs.
#pragma once

#include <Halide.h>

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/dag/interval.h"
#include "core/dag/region_program.h"
#include "halide/read/read_compile.h"
#include "halide/read/read_estimates.h"
#include "halide/read/read_stage.h"
#include "halide/read/read_widest.h"

namespace autoschedule_gpu::reading {

// Returns bounds of the values of the Funcs that decide which elements others read or write,
// directly or through further Funcs. Bounds of all Funcs would cost most of the reading time and
// change nothing.
HI::FuncValueBounds value_bounds_of_indices(const std::vector<std::string> &order,
                                            const std::map<std::string, HI::Function> &env);

// Returns the region of every Func and image (by key) that a stage reads, its own Func included, in
// terms of register variables. Of a Func that is read in one branch of a condition on several loops
// it is what that branch needs.
std::map<std::string, HI::Box> required_boxes(const StageSource &stage,
                                              const HI::FuncValueBounds &values);

// Whether that is so, of a region that is read at the coordinates of single loops.
bool is_limited_by_other_loops(const HI::Box &box);

// Returns the same for an extern stage that declares a proxy expression, whose free variables are
// the stage's dimensions.
std::map<std::string, HI::Box> proxy_boxes(const StageSource &stage, const Halide::Expr &proxy,
                                           const HI::FuncValueBounds &values);

// Returns the region of its own Func that a stage writes, in terms of register variables.
HI::Box written_box(const StageSource &stage, const HI::FuncValueBounds &values);

// A box on its way to a region program. Dimensions that could not be compiled are holes: their
// bounds are still to be filled in, and their range at the estimates is known if Halide can tell
// it.
struct CompiledBox {
    explicit CompiledBox(size_t inputs) : compiler(inputs) {}

    // With what is known of it whatever the values of parameters.
    RegionProgramId add_to(RegionCode &code) const;

    RegionCompiler compiler;
    std::vector<RegionDimension> dims;
    std::vector<size_t> holes;
    std::vector<Interval> hole_estimates;  // one for each hole; empty where unknown
    std::optional<WidestBox> widest;
};

// Compiles boxes whose registers are the ends of `inputs` intervals. `at_estimates` are these
// intervals at the estimates. `fixed[k]` allows interval k to be replaced by its value there if a
// bound cannot be compiled otherwise; that is safe for a reduction's range, because no part of it
// needs more than the whole. Parameters without an estimate are added to `missing`.
CompiledBox compile_box(const std::vector<HI::Interval> &box, const Estimates &estimates,
                        std::span<const Interval> at_estimates, const std::vector<bool> &fixed,
                        Gaps &gaps);

// Fills the holes with constants: the ranges of `whole`, one for each dimension.
void fill_holes(CompiledBox &box, std::span<const Interval> whole);

// Returns the region that is computed of a Func if `reg.2d`, `reg.2d+1` is required: explicit
// bounds, alignment, and what its updates write and read. nullopt: exactly what is required.
std::optional<std::vector<HI::Interval>> computed_region(const std::vector<StageSource> &stages,
                                                         const HI::FuncValueBounds &values);

}  // namespace autoschedule_gpu::reading
