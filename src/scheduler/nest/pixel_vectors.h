// Pixels whose channels lie side by side in memory, as those of most images of bytes do: a thread
// has several neighbours with all of their channels, and stores or loads them by vectors.
//
//     memory    r0 g0 b0 r1 g1 b1 ... r7 g7 b7     interleaved: three vectors of eight bytes
//     thread    r0 r1 ... r7   g0 ... g7   b0 ...  what it computes: a vector along the pixels for
//                                                  each channel
//
// The loop along the pixels is vectorized, and that over the channels, inside it, unrolled. Halide
// then makes one access of those that are interleaved, and of it instructions of eight bytes, the
// most that it makes but of four elements of 32 bits. What lies in planes a thread stores by one
// such instruction each, and loads by as many as its elements need.
//
// Halide must be sure when it compiles that these begin at multiples of eight bytes. Users promise
// that of a buffer's address on the host (Halide's set_host_alignment); of rows, and of the address
// on the device, a condition says it: the kernel has one schedule more, for where it is so, as
// those with vectors of four 32-bit elements (scheduler/nest/vectors.h). This goes beyond the
// papers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// What one instruction moves.
inline constexpr int64_t kPixelVectorBytes = 8;

// A buffer whose pixels are accessed so.
struct PixelBuffer {
    FuncId func;
    size_t pixels = 0;               // the dimension along which they are neighbours
    std::optional<size_t> channels;  // that of their channels; none: each has a plane
    int64_t step = 1;                // elements from one pixel to the next
};

struct PixelVectors {
    size_t loop = 0;                   // of the kernel's stage, along the pixels of the vector
    int64_t points = 1;                // of it
    std::vector<size_t> channels;      // loops over channels, which are to be inside it; ascending
    std::vector<PixelBuffer> buffers;  // the kernel's own Func first, then inputs, ascending
};

// How many of so many neighbours one instruction loads.
int64_t pixels_per_load(int64_t points, int64_t element_bytes);

// Those of the kernel's own stage; none if there are none, or the kernel has them switched off.
std::optional<PixelVectors> pixel_vectors(const Dag &dag, const Kernel &kernel);

// Whether the kernel could have them, be they switched off.
bool may_have_pixel_vectors(const Dag &dag, const Kernel &kernel);

}  // namespace autoschedule_gpu
