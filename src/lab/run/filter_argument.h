// The arguments of a compiled pipeline: what they are called, and the sizes and values with which
// it is run. Plain data, made from a library's metadata (filter_library.h) or read from the folder
// of a reference (reference_files.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/run/element_type.h"

namespace autoschedule_gpu {

enum class ArgumentKind : uint8_t { scalar, input, output };

struct Dimension {
    int64_t min = 0;
    int64_t extent = 0;
    int64_t stride = 0;  // in elements

    friend bool operator==(const Dimension &, const Dimension &) = default;
};

struct FilterArgument {
    std::string name = {};
    ArgumentKind kind = ArgumentKind::input;
    ElementType type = {};
    std::vector<Dimension> dimensions = {};  // of a buffer
    uint64_t scalar_bits = 0;  // a scalar's value in its own type's form, from the lowest bit on

    friend bool operator==(const FilterArgument &, const FilterArgument &) = default;
};

int64_t elements_of(const FilterArgument &argument);
size_t bytes_of(const FilterArgument &argument);

// Strides that leave no gaps. The order in which dimensions follow each other in memory is that of
// their strides so far; equal ones in the order of the dimensions.
void pack(std::vector<Dimension> &dimensions);

// The dimensions from the innermost in memory outwards.
std::vector<size_t> storage_order(const std::vector<Dimension> &dimensions);

}  // namespace autoschedule_gpu
