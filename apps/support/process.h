// What the process programs of the applications share. Each links three builds of one pipeline:
// the reference, with its plain CPU schedule; the candidate, scheduled by the plugin; and the
// manual one, scheduled by an expert. `process_main` runs them on a photograph, compares the two
// latter with the reference, times all and saves the candidate's image:
//
//                                               ┌─► reference ─► outputs ─┐
//   photograph (PNG) ─► App::arguments ─► inputs┼─► candidate ─► outputs ─┼─► compare ─►
//   App::present
//                                               └─► manual    ─► outputs ─┘
//
// Single-threaded. Functions here throw std::runtime_error with one sentence for the user;
// process_main catches it, prints it and returns 1.
#pragma once

#include <HalideBuffer.h>
#include <HalideRuntime.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace autoschedule_gpu::apps {

// Element type and number of dimensions are known at run time; dimension 0 is x, 1 is y, 2 is the
// colour channel; planar.
using Image = Halide::Runtime::Buffer<>;

// A pipeline's arguments by the names that its generator gives them. Inputs and the extents of
// outputs must all be there; a scalar that is not given has the value of its estimate, or else its
// default. The element types of scalars and outputs are the pipeline's.
struct Arguments {
    std::map<std::string, Image> inputs;
    std::map<std::string, double> scalars = {};
    std::map<std::string, std::vector<int>> outputs;  // extents
};

// One build of a pipeline, as ahead-of-time compiled by Halide.
struct Variant {
    const char *role;  // "reference", "candidate" or "manual"
    int (*run)(void **arguments);
    const halide_filter_metadata_t *metadata;
};

// The Variant of the library NAME_ROLE, whose header must be included.
#define AUTOSCHEDULE_GPU_VARIANT(NAME, ROLE)                    \
    ::autoschedule_gpu::apps::Variant {                         \
#ROLE, NAME##_##ROLE##_argv, NAME##_##ROLE##_metadata() \
    }

struct App {
    // From the photograph (float, 3 channels, values in 0..1).
    std::function<Arguments(const Image &photograph)> arguments;
    // From the first output to something to look at: float in 0..1, or an unsigned integer.
    std::function<Image(const Image &output)> present;
    Variant reference;
    std::vector<Variant> candidates;  // the first one's image is saved
    // Floats may differ by this share of the largest magnitude in the reference's output, because
    // devices fuse and round differently. Integers may differ by so many steps. These are of a
    // photograph; those of app.json are of the inputs that schedulers are compared on.
    double float_tolerance = 1e-4;
    double integer_steps = 0;
};

// Exit status 0 when all outputs of all candidates agree with the reference's, else 1.
int process_main(int argc, char **argv, const App &app);

// The extents of an image.
std::vector<int> shape_of(const Image &image);

// One channel: 0.299 R + 0.587 G + 0.114 B, as float in 0..1.
Image luma(const Image &photograph);

// Scales float values in 0..1 to the whole range of 8 or 16 bits.
Image to_uint8(const Image &image);
Image to_uint16(const Image &image);

// An image of floats, `value(x, y, c)` at each position; one without channels calls it with c = 0.
Image make_image(int width, int height, const std::function<float(int, int)> &value);
Image make_image(int width, int height, int channels,
                 const std::function<float(int, int, int)> &value);

// `present` of outputs that are images as they are.
Image unchanged(const Image &image);

// `present` of outputs of any scale: from the smallest to the largest value, as 0..1. Of more than
// three channels the first is shown, of more than three dimensions the first slice.
Image stretched(const Image &output);

}  // namespace autoschedule_gpu::apps
