// Legal but odd pipelines, written by hand: one row per thing that has tripped, or could trip, an
// autoscheduler. An autoscheduler may give any of them a plain schedule; it may refuse none.
//
// Programs that run them must export their symbols (CMake: ENABLE_EXPORTS): Halide finds the
// extern stages by name.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "learn/random_pipelines/pipeline_case.h"

namespace autoschedule_gpu::testing {

using namespace random_pipelines;

struct OddPipeline {
    const char *name;
    PipelineCase (*make)();
};

// All rows of the tables below.
std::vector<OddPipeline> odd_pipelines();

std::span<const OddPipeline> odd_host_stages();  // extern, memoize, print, require
std::span<const OddPipeline> odd_shapes();       // sizes, dimensions, outputs, names, chains
std::span<const OddPipeline> odd_updates();      // reductions, scans, scatters, predicates
std::span<const OddPipeline> odd_values();       // types, indices, arithmetic

// Collects inputs and outputs of one odd pipeline.
class OddCase {
public:
    Halide::ImageParam input(const Halide::Type &type, const Region &region, int values = 256);
    OddCase &output(const Halide::Func &func, const Region &region);
    // The last output means nothing at a larger size.
    OddCase &fixed_size();
    OddCase &inline_only(const Halide::Func &func);
    OddCase &schedule_only();
    OddCase &uses_doubles();
    PipelineCase finish();

private:
    PipelineCase case_;
};

// [0, extent) in every dimension.
Region box(std::initializer_list<int> extents);

}  // namespace autoschedule_gpu::testing
