// An access at an index that depends on data, such as a look-up in a table: where its lanes go is
// not known before the pipeline runs.
#pragma once

#include <array>

#include "core/gpu/memory_access.h"

namespace autoschedule_gpu {

struct Gather {
    std::array<bool, 3> by_data{};  // axes of threads along which data decides
    // Whether the index is a pattern of loops whose values are known, such as x % 32: all lanes
    // that can go to places of their own then do.
    bool is_pattern = false;
    // What the index may name, all else being equal, and the least distance between two of these.
    double elements = 1, stride_bytes = 4;

    bool any() const { return by_data[0] || by_data[1] || by_data[2]; }
};

// Return what the access moves if `together` is the access that data leads to when it is the same
// for all lanes. Were the data noise, lanes would meet as often as random draws do. Pictures are
// neither uniform nor noise: the geometric mean of both. A pattern is no data.
GlobalAccess gathered_global(const GpuModel &gpu, const WarpAccess &together, const Gather &gather);
SharedAccess gathered_shared(const GpuModel &gpu, const WarpAccess &together, const Gather &gather);

// Returns the same for noise. (Atomic operations at one place wait for each other: there, data that
// is the same is the worst, and nothing is gained from a mean.)
SharedAccess scattered_shared(const GpuModel &gpu, const WarpAccess &together,
                              const Gather &gather);

// Returns how many lanes name the element that most of them name, were the data noise.
double lanes_at_one_element(const GpuModel &gpu, const WarpAccess &together, const Gather &gather);

}  // namespace autoschedule_gpu
