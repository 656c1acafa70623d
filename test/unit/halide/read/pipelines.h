// Small pipelines of many shapes, for checks that hold of every pipeline.
#pragma once

#include <Halide.h>

#include <functional>
#include <string>
#include <vector>

namespace autoschedule_gpu::testing {

struct NamedPipeline {
    std::string name;
    // A fresh pipeline with estimates, nothing of it scheduled.
    std::function<Halide::Pipeline()> build;
};

// For GoogleTest's messages.
inline void PrintTo(const NamedPipeline &pipeline, std::ostream *out) {
    *out << pipeline.name;
}

const std::vector<NamedPipeline> &all_pipelines();

// `funcs` two-dimensional Funcs: five-point stencils, every third one a sum of three.
Halide::Pipeline stencil_chain(int funcs);

}  // namespace autoschedule_gpu::testing
