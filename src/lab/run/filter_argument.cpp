#include "lab/run/filter_argument.h"

#include <algorithm>
#include <numeric>

namespace autoschedule_gpu {

int64_t elements_of(const FilterArgument &argument) {
    int64_t elements = 1;
    for (const Dimension &dimension : argument.dimensions) elements *= dimension.extent;
    return elements;
}

size_t bytes_of(const FilterArgument &argument) {
    return static_cast<size_t>(elements_of(argument)) * argument.type.bytes();
}

std::vector<size_t> storage_order(const std::vector<Dimension> &dimensions) {
    std::vector<size_t> order(dimensions.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return dimensions[a].stride < dimensions[b].stride;
    });
    return order;
}

void pack(std::vector<Dimension> &dimensions) {
    int64_t stride = 1;
    for (const size_t d : storage_order(dimensions)) {
        dimensions[d].stride = stride;
        stride *= dimensions[d].extent;
    }
}

}  // namespace autoschedule_gpu
