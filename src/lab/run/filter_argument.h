// The arguments of a compiled pipeline: their names, and the sizes and values with which it is run.
// They are plain data, made from a library's metadata (filter_library.h) or read from a reference's
// folder (reference_files.h).
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
    std::vector<Dimension> dimensions = {};  // of a buffer; empty for scalars
    uint64_t scalar_bits = 0;                // a scalar's value in its own type, in the lowest bits

    friend bool operator==(const FilterArgument &, const FilterArgument &) = default;
};

// Return the number of elements of an argument, and of bytes.
int64_t elements_of(const FilterArgument &argument);
size_t bytes_of(const FilterArgument &argument);

// Sets strides that leave no gaps. Dimensions stay in the order of their old strides; those with
// equal strides stay in the order of the dimensions.
void pack(std::vector<Dimension> &dimensions);

// Returns the dimensions from the innermost in memory outwards.
std::vector<size_t> storage_order(const std::vector<Dimension> &dimensions);

}  // namespace autoschedule_gpu
