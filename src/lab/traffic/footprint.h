// Counts the distinct elements of one buffer that the launch of a kernel touches.
//
// If every access is seen, elements are marked one by one. From a sample, they are taken to fill a
// box: in each dimension of the buffer, from the least coordinate to the greatest in steps of the
// greatest common divisor of their distances. README.md says where that is too much.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/lowered/lowered.h"

namespace autoschedule_gpu {

// Converts a flat index to coordinates; dimensions of extent 1 are left out.
class BufferShape {
public:
    explicit BufferShape(const std::vector<lowered::Dimension> &dims);

    // Returns the strides in elements, ascending.
    const std::vector<int64_t> &strides() const { return strides_; }

private:
    std::vector<int64_t> strides_;
};

// The coordinates min, min + step, ..., max.
struct Steps {
    int64_t min = 0;
    int64_t max = 0;
    int64_t step = 0;  // 0: min and max are equal

    int64_t count() const { return step == 0 ? 1 : (max - min) / step + 1; }
    void include(int64_t coordinate);
};

class ElementBox {
public:
    void include(const BufferShape &shape, const std::vector<int64_t> &flat_indices);
    double elements() const;
    // Returns the sectors that the box touches, wherever it begins in one.
    double sectors(const BufferShape &shape, int64_t element_bytes, int64_t sector_bytes) const;

private:
    void include_coordinates(const std::vector<int64_t> &coordinates);

    std::vector<Steps> dims_;
};

// A set of integers that come in clusters.
class ElementSet {
public:
    void insert(int64_t element);
    double size() const;

private:
    using Chunk = std::vector<bool>;

    std::unordered_map<int64_t, Chunk> chunks_;
    int64_t last_number_ = 0;
    Chunk *last_ = nullptr;
};

enum class FootprintMode { every_element, box };

class Footprint {
public:
    explicit Footprint(FootprintMode mode) : mode_(mode) {}

    void include(const BufferShape &shape, const std::vector<int64_t> &flat_indices);
    // Adds to the number of accesses, repeats included and as far as a sample tells. The result of
    // elements() does not exceed it.
    void ask(double elements) { asked_ += elements; }
    double elements() const;

private:
    FootprintMode mode_;
    ElementSet set_;
    ElementBox box_;
    double asked_ = 0;
};

}  // namespace autoschedule_gpu
