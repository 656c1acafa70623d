// Determines types and storage layout of Funcs and input images.
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "halide/read/read_estimates.h"
#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {

ScalarType scalar_type(const Halide::Type &type);

// An image that a pipeline reads: either an image parameter or a constant buffer.
struct ImageSource {
    std::string name;
    Halide::Parameter param;
    Halide::Buffer<> buffer;

    Halide::Type type() const { return param.defined() ? param.type() : buffer.type(); }
    int dimensions() const { return param.defined() ? param.dimensions() : buffer.dimensions(); }
};

// Appends the images that a stage reads, in the order in which they are found.
void find_images(const StageSource &stage, std::vector<ImageSource> &images);

// Each of these sets Dimension::stride of `dims`, in elements, for extents at the estimates, which
// `dims` must already contain.
void set_image_strides(const ImageSource &image, const Estimates &estimates,
                       std::vector<Dimension> &dims);
void set_output_strides(const HI::Function &func, const Estimates &estimates,
                        std::vector<Dimension> &dims);
void set_internal_strides(const HI::Function &func, const Estimates &estimates,
                          std::vector<Dimension> &dims);

}  // namespace autoschedule_gpu::reading
