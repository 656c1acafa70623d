#include "lab/traffic/joined_accesses.h"

#include <bit>
#include <numeric>

namespace autoschedule_gpu {

int64_t JoinedAccesses::most_elements(std::span<const int64_t> first_bytes, int64_t element_bytes) {
    int64_t common = kMostBytes;
    for (const int64_t byte : first_bytes) common = std::gcd(common, byte - first_bytes.front());
    int64_t elements = 1;
    while (2 * elements * element_bytes <= common) elements *= 2;
    return elements;
}

JoinedAccesses::Cost JoinedAccesses::add(lowered::BufferId buffer, bool store, uint64_t shape,
                                         int64_t first_byte, int64_t element_bytes, int64_t most,
                                         const Passes &passes) {
    const int64_t bytes = most * element_bytes;
    const int64_t place = ((first_byte % bytes) + bytes) % bytes;
    const uint64_t key = Hasher(buffer.index())
                             .add(store ? uint64_t{1} : uint64_t{0})
                             .add(shape)
                             .add(static_cast<uint64_t>(first_byte - place))
                             .value();
    const uint32_t bit = 1u << (place / element_bytes);
    uint32_t &present = groups_[key].present;
    if ((present & bit) != 0) present = 0;  // the same element again: another group
    const Cost before = cost_of(present, 0, most, passes);
    present |= bit;
    const Cost now = cost_of(present, 0, most, passes);
    return {now.instructions - before.instructions, now.passes - before.passes};
}

// Elements are moved by the fewest instructions whose widths are powers of two.
JoinedAccesses::Cost JoinedAccesses::cost_of(uint32_t present, int64_t first, int64_t elements,
                                             const Passes &passes) {
    const uint32_t all = ((uint32_t{1} << elements) - 1) << first;
    if ((present & all) == 0) return {0, 0};
    if ((present & all) == all) {
        return {1, passes[static_cast<size_t>(std::countr_zero(static_cast<uint64_t>(elements)))]};
    }
    const Cost low = cost_of(present, first, elements / 2, passes);
    const Cost high = cost_of(present, first + elements / 2, elements / 2, passes);
    return {low.instructions + high.instructions, low.passes + high.passes};
}

}  // namespace autoschedule_gpu
