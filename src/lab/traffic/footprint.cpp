#include "lab/traffic/footprint.h"

#include <algorithm>
#include <numeric>

#include "core/support/rounding.h"

namespace autoschedule_gpu {
namespace {

constexpr int64_t kChunk = 4096;  // in elements

}  // namespace

BufferShape::BufferShape(const std::vector<lowered::Dimension> &dims) {
    for (const lowered::Dimension &dim : dims) {
        if (dim.extent > 1 && dim.stride > 0) strides_.push_back(dim.stride);
    }
    std::sort(strides_.begin(), strides_.end());
    strides_.erase(std::unique(strides_.begin(), strides_.end()), strides_.end());
    if (strides_.empty()) strides_.push_back(1);
}

void Steps::include(int64_t coordinate) {
    step = std::gcd(step, coordinate - min);
    min = std::min(min, coordinate);
    max = std::max(max, coordinate);
}

void ElementBox::include_coordinates(const std::vector<int64_t> &coordinates) {
    if (dims_.empty()) {
        for (const int64_t c : coordinates) dims_.push_back({c, c, 0});
    }
    for (size_t d = 0; d < dims_.size(); d++) dims_[d].include(coordinates[d]);
}

void ElementBox::include(const BufferShape &shape, const std::vector<int64_t> &flat_indices) {
    const std::vector<int64_t> &strides = shape.strides();
    std::vector<int64_t> coordinates(strides.size());
    const int64_t row = strides.size() > 1 ? strides[1] : INT64_MAX;
    int64_t previous = 0, in_row = -1;
    for (const int64_t flat : flat_indices) {
        const int64_t moved = in_row + (flat - previous);
        if (in_row >= 0 && flat == previous) continue;
        if (in_row >= 0 && moved >= 0 && moved < row) {
            // The row is the same: only the innermost coordinate has changed.
            in_row = moved;
        } else {
            in_row = flat;
            for (size_t d = strides.size(); d-- > 1;) {
                coordinates[d] = floor_div(in_row, strides[d]);
                in_row -= coordinates[d] * strides[d];
            }
        }
        previous = flat;
        coordinates[0] = floor_div(in_row, strides[0]);
        include_coordinates(coordinates);
    }
}

double ElementBox::elements() const {
    double product = dims_.empty() ? 0 : 1;
    for (const Steps &steps : dims_) product *= static_cast<double>(steps.count());
    return product;
}

// Dimensions whose steps leave no whole sector out make one run of bytes (a row, or a row of
// interleaved pixels), the others repeat it.
double ElementBox::sectors(const BufferShape &shape, int64_t element_bytes,
                           int64_t sector_bytes) const {
    if (dims_.empty()) return 0;
    const auto bytes = static_cast<double>(element_bytes);
    const auto sector = static_cast<double>(sector_bytes);
    double run = bytes, runs = 1;
    for (size_t d = 0; d < dims_.size(); d++) {
        const auto count = static_cast<double>(dims_[d].count());
        const double step = static_cast<double>(dims_[d].step * shape.strides()[d]) * bytes;
        if (step - run < sector) {
            run += (count - 1) * step;
        } else {
            runs *= count;
        }
    }
    // The mean over the places where a run of whole elements may start.
    return runs * (run + sector - std::min(bytes, sector)) / sector;
}

void ElementSet::insert(int64_t element) {
    const int64_t number = floor_div(element, kChunk);
    if (last_ == nullptr || number != last_number_) {
        Chunk &chunk = chunks_[number];
        if (chunk.empty()) chunk.resize(kChunk);
        last_ = &chunk;
        last_number_ = number;
    }
    (*last_)[static_cast<size_t>(element - number * kChunk)] = true;
}

double ElementSet::size() const {
    int64_t count = 0;
    for (const auto &[number, chunk] : chunks_)
        count += std::count(chunk.begin(), chunk.end(), true);
    return static_cast<double>(count);
}

void Footprint::include(const BufferShape &shape, const std::vector<int64_t> &flat_indices) {
    if (mode_ == FootprintMode::box) {
        box_.include(shape, flat_indices);
    } else {
        for (const int64_t flat : flat_indices) set_.insert(flat);
    }
}

double Footprint::elements() const {
    return mode_ == FootprintMode::box ? std::min(asked_, box_.elements()) : set_.size();
}

}  // namespace autoschedule_gpu
