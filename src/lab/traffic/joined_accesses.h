// Decides which accesses of shared memory a compiler joins into one instruction. Unrolled code
// loads and stores neighbours one by one; LLVM joins them, up to 16 bytes, where it can prove that
// every thread begins at a multiple of the joint size. It can for arrays in shared memory, whose
// place it knows, and not for buffers in global memory, of which Halide promises the alignment of
// an element (read off the PTX of stencils: src/lab/traffic/README.md).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "core/lowered/lowered.h"
#include "core/support/hash.h"
#include "lab/traffic/kept_values.h"

namespace autoschedule_gpu {

class JoinedAccesses {
public:
    static constexpr int64_t kMostBytes = 16;

    // Passes through the banks by the number of elements, 1, 2, 4, 8 or 16, that an instruction
    // moves.
    using Passes = std::array<double, 5>;

    // How many instructions and passes an access adds to those before it, or saves.
    struct Cost {
        double instructions = 1, passes = 0;
    };

    // Returns how many elements of so many bytes an instruction may move, a power of two, for lanes
    // that begin at these bytes.
    static int64_t most_elements(std::span<const int64_t> first_bytes, int64_t element_bytes);

    // One element of each lane, the first one's at `first_byte`, where instructions move `most`
    // elements at most.
    Cost add(lowered::BufferId buffer, bool store, uint64_t shape, int64_t first_byte,
             int64_t element_bytes, int64_t most, const Passes &passes);

    // Nothing is joined across a barrier, a branch or an iteration.
    void forget() { groups_.clear(); }

private:
    struct Group {
        uint32_t present = 0;  // by element
    };
    static Cost cost_of(uint32_t present, int64_t first, int64_t elements, const Passes &passes);

    std::unordered_map<uint64_t, Group> groups_;  // by buffer, direction, lanes and place
};

}  // namespace autoschedule_gpu
