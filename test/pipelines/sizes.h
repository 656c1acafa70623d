// The sizes at which a pipeline is run: at the one that it is scheduled for, and at others.
#pragma once

#include <string_view>
#include <vector>

#include "learn/random_pipelines/pipeline_case.h"

namespace autoschedule_gpu::testing {

using namespace random_pipelines;

enum class Sizes : uint8_t {
    estimated,
    grown,  // and a little larger
    all,    // and twice as large, odd, half as large, one point, one column, one row, at negative
            // coordinates, as a part of a larger buffer, and interleaved
};

struct SizeVariant {
    std::string_view name;
    Span (*range)(Span estimated, size_t dim);
    int margin = 0;  // elements of the output buffers around what is computed, on each side
    Layout layout = Layout::planar;  // where buffers may have it
};

// The first is the estimated size.
std::vector<SizeVariant> size_variants(Sizes sizes);

// False if the pipeline would be run as at the estimated size: nothing of it may grow, or none of
// its buffers may have the layout.
bool differs_at(const PipelineCase &c, const SizeVariant &variant);

// What is computed of each output. Dimensions that may not grow stay as they are.
std::vector<Region> regions_at(const PipelineCase &c, const SizeVariant &variant);

}  // namespace autoschedule_gpu::testing
