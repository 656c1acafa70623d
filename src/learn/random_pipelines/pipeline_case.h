// A legal Halide pipeline, unscheduled, with all that is needed to run it: what the random
// generator and the table of odd pipelines make, and what the harness (pipeline_check.h) checks.
//
// Halide Funcs can't be un-scheduled, so a case is used once; who needs the pipeline twice makes
// it twice. Estimates are set on every output and every input.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace autoschedule_gpu::random_pipelines {

// A closed interval of coordinates.
struct Span {
    int lo = 0;
    int hi = -1;

    int extent() const { return hi - lo + 1; }
    bool contains(Span other) const { return lo <= other.lo && other.hi <= hi; }
    friend bool operator==(Span, Span) = default;
};

using Region = std::vector<Span>;

struct InputImage {
    Halide::ImageParam param;
    // What the image covers at the estimated size. The harness enlarges it where a larger output
    // reads more.
    Region region;
    // Pixels take this many values: 0 ..., centred at 0 for signed integers, sixteenths for floats.
    int values = 256;
    uint64_t seed = 0;
};

struct OutputFunc {
    Halide::Func func;
    Region region;               // the estimate, and the region of the first run
    std::vector<bool> growable;  // by dimension: the pipeline means something at a larger extent
};

struct PipelineCase {
    std::string name;
    // Inputs, outputs and all definitions as text: for failure messages.
    std::string description;
    std::vector<OutputFunc> outputs;
    std::vector<InputImage> inputs;
    // Random pipelines only: all other arguments.
    std::vector<Halide::Parameter> scalars;
    // How often each kind of Func was drawn, by name; empty for hand-written cases.
    std::map<std::string, int> features;
    // Depends on the structure of the pipeline only: not on the names that Halide makes unique by
    // counting.
    uint64_t checksum = 0;
    // Funcs that Halide can't compute at root, for instance because they are read at an unbounded
    // index. The reference schedule leaves them inline.
    std::vector<Halide::Func> inline_only;
    bool schedule_only = false;  // too large to run
    bool uses_doubles = false;

    Halide::Pipeline pipeline() const;
};

using CaseMaker = std::function<PipelineCase()>;

// Pixels depend on seed and coordinates alone, so that a larger image agrees with a smaller one
// where both have pixels.
Halide::Buffer<> make_image(const InputImage &input, const Region &region);

// Sets the estimates of all inputs and outputs from their regions.
void set_estimates(PipelineCase &pipeline_case);

// Fills description and checksum from the definitions.
void describe(PipelineCase &pipeline_case);

std::string to_string(const Region &region);

}  // namespace autoschedule_gpu::random_pipelines
