// How far an output is from the reference's: the comparison of process.h.
#pragma once

#include <HalideBuffer.h>

namespace autoschedule_gpu::apps {

// How much an output may differ: floats by a share of the largest finite magnitude in the
// reference's, integers by so many steps.
struct AllowedDifference {
    double of_floats = 0;
    double of_integers = 0;
};

struct Difference {
    double largest = 0;    // infinite where only one of two values is a number, and where none is
    double tolerance = 0;  // on the same scale
    bool acceptable() const { return largest <= tolerance; }
};

// Both have the same type and extents. Throws std::runtime_error where the elements are neither
// integers nor floats of 32 or 64 bits.
Difference difference(const Halide::Runtime::Buffer<> &reference,
                      const Halide::Runtime::Buffer<> &candidate, const AllowedDifference &allowed);

}  // namespace autoschedule_gpu::apps
