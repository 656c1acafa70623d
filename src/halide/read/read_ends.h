// Which ends of what is asked of a buffer lie within it whatever size it has: there it is read at
// coordinates that are clamped to its own. One that is clamped to 0 and the extent less one is
// taken to be, if the buffer is estimated to begin at 0: elsewhere such a pipeline would make no
// sense.
#pragma once

#include <Halide.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/dag/region_program.h"
#include "halide/read/read_estimates.h"
#include "halide/read/read_shapes.h"

namespace autoschedule_gpu::reading {

// The one image of which a Func reads nothing but the element at its own coordinates, directly or
// through further such Funcs, as that of an ImageParam does; nullopt for any other Func.
class ImagesReadByPoints {
public:
    // Looks at each Func once.
    const std::optional<ImageSource> &of(const HI::Function &func);

private:
    std::map<std::string, std::optional<ImageSource>> known_;  // by Func
};

// Sets RegionDimension::lo_within and hi_within of `dims` by `box`, which is asked of the image, or
// of a Func that reads it by points.
void find_ends_within(const ImageSource &image, const std::vector<HI::Interval> &box,
                      const Estimates &estimates, std::vector<RegionDimension> &dims);

// The same by `box`, which is asked of any other Func, and the images whose sizes it mentions: that
// of the one along which the Func reads the image is not told apart from others. Where it reads
// beyond, it does so at the estimates, too.
void find_ends_within_mentioned(const std::vector<HI::Interval> &box, const Estimates &estimates,
                                std::vector<RegionDimension> &dims);

}  // namespace autoschedule_gpu::reading
