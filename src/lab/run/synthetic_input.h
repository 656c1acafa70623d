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
// Where it does not, because of what the pipeline does with them, an input has a range of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/support/error.h"
#include "lab/run/filter_argument.h"
#include "lab/run/input_range.h"

namespace autoschedule_gpu {

// An error that names the input if its type does not have these numbers.
Status check_range(const FilterArgument &argument, const InputRange &range);

// Fills the memory of a packed buffer. Equal arguments, seeds, sizes and ranges give equal
// contents.
void fill_input(const FilterArgument &argument, uint64_t seed, std::byte *memory,
                const std::optional<InputRange> &range = {});

// Fills an output before the run, so that elements which are not written show: reference and
// candidate get different values, infinity and NaN for floats.
enum class Filler : uint8_t { reference, candidate };
void fill_output(const FilterArgument &argument, Filler filler, std::byte *memory);

}  // namespace autoschedule_gpu
