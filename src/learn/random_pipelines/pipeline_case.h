// A legal Halide pipeline, unscheduled, with all that is needed to run it. The random generator and
// the table of odd pipelines make such cases, and the harness (pipeline_check.h) checks them.
//
// Halide Funcs cannot be unscheduled, so a case is used once; make it again to use it again. Every
// output and every input has estimates.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "learn/random_pipelines/hand_schedule.h"

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
    // The coordinates of the image at the estimated size. The harness enlarges it if a larger
    // output reads more.
    Region region;
    // The number of values that pixels take: 0 ..., centred at 0 for signed integers, sixteenths
    // for floats.
    int values = 256;
    uint64_t seed = 0;
};

struct OutputFunc {
    Halide::Func func;
    Region region;               // the estimate, and the region of the first run
    std::vector<bool> growable;  // by dimension: a larger extent is meaningful too
};

struct PipelineCase {
    std::string name;
    // Inputs, outputs and all definitions as text, for failure messages.
    std::string description;
    std::vector<OutputFunc> outputs;
    std::vector<InputImage> inputs;
    // All other arguments; only random pipelines have any.
    std::vector<Halide::Parameter> scalars;
    // How often each kind of Func was drawn, by name; empty for hand-written cases.
    std::map<std::string, int> features;
    // Depends on the pipeline's structure only, not on names that Halide makes unique by counting.
    uint64_t checksum = 0;
    // Funcs that Halide cannot compute at root, for instance because they are read at an unbounded
    // index. The reference schedule leaves them inline.
    std::vector<Halide::Func> inline_only;
    // What its user has scheduled; no part of the pipeline until it is applied.
    std::vector<HandSchedule> by_hand;
    bool schedule_only = false;  // too large to be run
    bool uses_doubles = false;

    Halide::Pipeline pipeline() const;
};

using CaseMaker = std::function<PipelineCase()>;

// How pixels lie in memory: with the first dimension innermost, or, interleaved, the last one, as
// channels mostly do.
enum class Layout : uint8_t { planar, interleaved };

// The layout in which a buffer is handed to the pipeline if this one is wanted: strides may be
// constrained, and Halide constrains the first one to 1 unless it is told otherwise.
Layout allowed_layout(const Halide::Parameter &buffer, Layout wanted);

// The dimensions from the innermost one out.
std::vector<int> storage_order(int dimensions, Layout layout);

// Returns an image whose pixels depend on seed and coordinates alone, so that a larger image agrees
// with a smaller one where both have pixels.
Halide::Buffer<> make_image(const InputImage &input, const Region &region,
                            Layout layout = Layout::planar);

// Sets the estimates of all inputs and outputs from their regions.
void set_estimates(PipelineCase &pipeline_case);

// Fills description and checksum from the definitions.
void describe(PipelineCase &pipeline_case);

std::string to_string(const Region &region);

}  // namespace autoschedule_gpu::random_pipelines
