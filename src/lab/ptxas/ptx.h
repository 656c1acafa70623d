// PTX text as Halide writes it with `-e device_code` for a CUDA target: one module, which begins
// with .version and .target and holds one .entry per kernel in the order of the lowered pipeline.
// Several such texts in one file, one after the other, are read too.
//
// Halide keeps one device module per file: where a pipeline uses CUDA and another GPU API, or
// several pipelines are linked, the last one written is all that is left, and may be no PTX at all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"

namespace autoschedule_gpu {

struct PtxModule {
    std::string text;
    int target = 0;                    // 80 of ".target sm_80"
    std::vector<std::string> kernels;  // entry names in order
};

// In the order of the text. An error if there is no module, or one that names no target.
Result<std::vector<PtxModule>> split_ptx(std::string_view text);

}  // namespace autoschedule_gpu
