// Makes inputs that are the same on every machine. They resemble a photograph: smooth shapes of
// many sizes with an edge or two and a little noise. Different arguments get different pictures.
//
//     floats      in (0, 1)
//     8 bits      0 to 255; 0 to 127 where there is a sign
//     16 bits     0 to 1023, as the sensor of a camera gives
//     32, 64      0 to 255
//     bool        both
//
// Values are never NaN, infinite or constant over a region, so that a wrong computation shows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lab/run/filter_argument.h"

namespace autoschedule_gpu {

// Fills the memory of a packed buffer. Equal arguments, seeds and sizes give equal contents.
void fill_input(const FilterArgument &argument, uint64_t seed, std::byte *memory);

// Fills an output before the run, so that elements which are not written show: reference and
// candidate get different values, infinity and NaN for floats.
enum class Filler : uint8_t { reference, candidate };
void fill_output(const FilterArgument &argument, Filler filler, std::byte *memory);

}  // namespace autoschedule_gpu
