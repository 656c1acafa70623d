// What the process programs of the applications share. Each links two builds of one pipeline: the
// reference, with its plain CPU schedule, and the candidate, whose schedule is to be judged.
// `process_main` runs both on a photograph, compares what they computed, times them and saves the
// candidate's image:
//
//   photograph (PNG) ─► App::prepare ─► input ─┬─► reference ─► output ─┐
//                                              └─► candidate ─► output ─┴─► compare ─► App::present
//
// Single-threaded. Functions here throw std::runtime_error with one sentence for the user;
// process_main catches it, prints it and returns 1.
#pragma once

#include <HalideBuffer.h>
#include <HalideRuntime.h>

#include <functional>

namespace autoschedule_gpu::apps {

// Element type and number of dimensions are known at run time; dimension 0 is x, 1 is y, 2 is the
// colour channel; planar.
using Image = Halide::Runtime::Buffer<>;

// One build of a pipeline, as ahead-of-time compiled by Halide.
struct Variant {
    const char *role;  // "reference" or "candidate"
    // Reads the first buffer, fills the second, returns Halide's error code (0 is success).
    std::function<int(halide_buffer_t *input, halide_buffer_t *output)> run;
    const halide_filter_metadata_t *metadata;
};

struct App {
    // From the photograph (float, 3 channels, values in 0..1) to the pipeline's input.
    std::function<Image(const Image &photograph)> prepare;
    // An output of the right size for that input; its contents don't matter.
    std::function<Image(const Image &input)> allocate_output;
    // From the pipeline's output to something to look at: float in 0..1, or an unsigned integer.
    std::function<Image(const Image &output)> present;
    Variant reference;
    Variant candidate;
};

// Exit status 0 when both outputs agree: integers exactly, floats to within 1e-4 of the largest
// magnitude in the reference's output (devices fuse and round differently). 1 otherwise.
int process_main(int argc, char **argv, const App &app);

// `prepare` of pipelines that take one channel: 0.299 R + 0.587 G + 0.114 B, as float in 0..1.
Image luma(const Image &photograph);

// Scales float values in 0..1 to the whole range of 16 bits.
Image to_uint16(const Image &image);

// `present` of outputs that are images as they are.
Image unchanged(const Image &image);

}  // namespace autoschedule_gpu::apps
