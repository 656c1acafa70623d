// Parameters of random pipelines, with one set for each purpose.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace autoschedule_gpu::random_pipelines {

struct Style {
    bool wide_types = false;  // also int64 and double
    // Makes the inputs' floats sixteenths, of which a few can be added and multiplied without
    // rounding, so that they may control a select or an index.
    bool exact_floats = true;

    // Kinds (kinds.h) per pipeline, at most: usually, and sometimes.
    int usual_kinds = 5, most_kinds = 8;

    // Extents of the first two dimensions: mostly between `least` and `usual`, else up to
    // `greatest` or one of `round`. In `degenerate_percent` of the cases there are one to three
    // points.
    int least_extent = 20, usual_extent = 90, greatest_extent = 200;
    std::array<int, 4> round_extents = {16, 32, 64, 128};
    int degenerate_percent = 8;
    // Extents, and rows of outputs, that are made multiples of four, as vectors want them.
    int whole_rows_percent = 0;

    // The greatest such extent in images of three and of four dimensions.
    int volume_extent = 70, four_extent = 24;
    std::array<int, 6> channels = {1, 3, 3, 4, 5, 8};

    // Limits for kinds that enlarge their input: points of a plane that is stacked or broadcast,
    // extents that are doubled, convolved, or put into four dimensions.
    int64_t stacked_points = 8000, broadcast_points = 5000;
    int doubled_extent = 120, convolved_extent = 40, widened_extent = 20;
    int convolved_channels = 16, contracted_extent = 64;
    std::array<int, 4> filters = {1, 4, 6, 8};  // output channels of a convolution

    int64_t most_work = 1'500'000;  // evaluations in one costly stage
    // Steps of a reduction that only atomics allow to run at the same time.
    int64_t most_serial_steps = std::numeric_limits<int64_t>::max();

    // Percentages of the outputs' dimensions.
    int tiny_output_percent = 12, cropped_output_percent = 25;
    std::array<int, 8> input_ranks = {1, 2, 2, 2, 2, 3, 3, 4};
};

// Odd sizes, which unoptimised code processes in milliseconds.
inline constexpr Style kFuzzing;

// The same with rows that are long enough for vectors.
inline constexpr Style kLongRows = {.usual_kinds = 3,
                                    .most_kinds = 5,
                                    .least_extent = 72,
                                    .usual_extent = 140,
                                    .greatest_extent = 260,
                                    .round_extents = {96, 128, 132, 256},
                                    .degenerate_percent = 2,
                                    .whole_rows_percent = 80,
                                    .volume_extent = 80,
                                    .tiny_output_percent = 3,
                                    .cropped_output_percent = 8,
                                    .input_ranks = {1, 2, 2, 2, 2, 2, 2, 3}};

// Worth timing: kSmall runs for milliseconds on a CPU, kLarge for longer than launches take on a
// large GPU. Both have few kinds, so that a time says more about each kind, and drivers that are
// slow to compile kernels have less to do.
inline constexpr Style kSmall = {.exact_floats = false,
                                 .usual_kinds = 3,
                                 .most_kinds = 6,
                                 .least_extent = 200,
                                 .usual_extent = 800,
                                 .greatest_extent = 1600,
                                 .round_extents = {256, 512, 768, 1024},
                                 .degenerate_percent = 0,
                                 .volume_extent = 200,
                                 .four_extent = 80,
                                 .channels = {3, 3, 4, 8, 16, 32},
                                 .stacked_points = 500'000,
                                 .broadcast_points = 300'000,
                                 .doubled_extent = 900,
                                 .convolved_extent = 90,
                                 .widened_extent = 120,
                                 .convolved_channels = 32,
                                 .contracted_extent = 128,
                                 .filters = {3, 4, 8, 16},
                                 .most_work = 30'000'000,
                                 .most_serial_steps = 8'192,
                                 .tiny_output_percent = 0,
                                 .cropped_output_percent = 5,
                                 .input_ranks = {2, 2, 2, 2, 2, 3, 3, 4}};

inline constexpr Style kLarge = {.exact_floats = false,
                                 .usual_kinds = 3,
                                 .most_kinds = 6,
                                 .least_extent = 800,
                                 .usual_extent = 2000,
                                 .greatest_extent = 4000,
                                 .round_extents = {1024, 1536, 2048, 3072},
                                 .degenerate_percent = 0,
                                 .volume_extent = 600,
                                 .four_extent = 200,
                                 .channels = {3, 3, 4, 16, 32, 64},
                                 .stacked_points = 5'000'000,
                                 .broadcast_points = 3'000'000,
                                 .doubled_extent = 2500,
                                 .convolved_extent = 256,
                                 .widened_extent = 400,
                                 .convolved_channels = 64,
                                 .contracted_extent = 1024,
                                 .filters = {8, 16, 32, 64},
                                 .most_work = 2'000'000'000,
                                 .most_serial_steps = 8'192,
                                 .tiny_output_percent = 0,
                                 .cropped_output_percent = 5,
                                 .input_ranks = {2, 2, 2, 2, 2, 3, 3, 4}};

}  // namespace autoschedule_gpu::random_pipelines
