// The values of scalars for which a pipeline says neither an estimate nor a default. They are the
// same in the reference and in all candidates, so zero and one would hide errors: what is
// multiplied by them, or taken their number of times, may be wrong and the output right
// nonetheless.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lab/run/element_type.h"

namespace autoschedule_gpu {

// Where such a scalar may lie, as the pipeline declares it.
struct ScalarRange {
    std::optional<double> least = {}, greatest = {};
};

// Returns true for booleans, 2 for other integers (the number of the last of three channels), 0.75
// for floats (a weight as well as a gain), or what is near to it in the range; 0 and 1 only if the
// range has no other end. For pointers, null.
double assumed_value(ElementType type, const ScalarRange &range);

// A scalar that has such a value.
struct AssumedScalar {
    std::string name = {};
    std::string value = {};  // as text

    friend bool operator==(const AssumedScalar &, const AssumedScalar &) = default;
};

// "gain has no estimate, 0.75 is assumed in all runs: gain.set_estimate(value) says what to run
// with"
std::string describe(const AssumedScalar &scalar);

}  // namespace autoschedule_gpu
