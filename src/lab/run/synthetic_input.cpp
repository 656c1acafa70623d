#include "lab/run/synthetic_input.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "core/support/hash.h"
#include "core/support/random.h"

namespace autoschedule_gpu {

namespace {

constexpr size_t kWaves = 5;

// A sum of waves of decreasing length and height. Each wave is a product of one cosine per
// dimension, which is tabulated.
class Picture {
public:
    Picture(const std::vector<Dimension> &dimensions, uint64_t seed) : seed_(seed) {
        Random random(seed);
        tables_.resize(dimensions.size());
        for (size_t d = 0; d < dimensions.size(); d++) {
            tables_[d].resize(static_cast<size_t>(dimensions[d].extent));
            for (size_t wave = 0; wave < kWaves; wave++) {
                const auto cycles = static_cast<double>(random.between(1, int64_t{2} << wave));
                const double phase = random.unit();
                tabulate(tables_[d], wave, cycles, phase);
            }
        }
    }

    using Row = std::array<float, kWaves>;

    // Returns the heights of the waves at the coordinates of all dimensions but one.
    Row row(const std::vector<int64_t> &at, size_t without) const {
        Row row = kHeights;
        for (size_t d = 0; d < tables_.size(); d++) {
            if (d == without) continue;
            const Row &values = tables_[d][static_cast<size_t>(at[d])];
            for (size_t wave = 0; wave < kWaves; wave++) row[wave] *= values[wave];
        }
        return row;
    }

    // Returns a value in (0, 1). `index` numbers the elements, for the noise.
    float value(const Row &row, size_t inner, int64_t at, uint64_t index) const {
        constexpr float kNoise = 0.06f;
        const Row &values = tables_[inner][static_cast<size_t>(at)];
        float sum = 0.5f + kNoise * (noise(index) - 0.5f);
        for (size_t wave = 0; wave < kWaves; wave++) sum += row[wave] * values[wave];
        return sum;
    }

    // Returns the value of a buffer without dimensions.
    float single() const { return 0.5f + 0.9f * (noise(0) - 0.5f); }

    // Uniform in [0, 1), for each element by itself.
    float noise(uint64_t index) const {
        return static_cast<float>(mix64(seed_ + index) >> 40) * 0x1p-24f;
    }

private:
    static constexpr Row kHeights = {0.2f, 0.12f, 0.07f, 0.04f, 0.03f};  // the sum is 0.46

    static void tabulate(std::vector<Row> &table, size_t wave, double cycles, double phase) {
        const double turn = 2 * std::numbers::pi;
        for (size_t i = 0; i < table.size(); i++) {
            const double at = static_cast<double>(i) / static_cast<double>(table.size());
            const double height = std::cos(turn * (cycles * at + phase));
            // The third wave has edges.
            table[i][wave] = static_cast<float>(wave == 2 ? std::copysign(1.0, height) : height);
        }
    }

    uint64_t seed_;
    std::vector<std::vector<Row>> tables_;
};

template <typename T>
T store_as(float value, float greatest) {
    return static_cast<T>(std::min(value * (greatest + 1), greatest));
}

// Stores a value in (0, 1) as an element.
void store(ElementType type, float value, std::byte *to) {
    const auto put = [&](auto element) { std::memcpy(to, &element, sizeof element); };
    switch (type.kind) {
        case ElementKind::ieee_float:
            if (type.bits == 16) return put(float_to_half(value));
            if (type.bits == 32) return put(value);
            return put(static_cast<double>(value));
        case ElementKind::bfloat:
            return put(float_to_bfloat(value));
        case ElementKind::signed_integer:
            if (type.bits == 8) return put(store_as<int8_t>(value, 127));
            if (type.bits == 16) return put(store_as<int16_t>(value, 1023));
            if (type.bits == 32) return put(store_as<int32_t>(value, 255));
            return put(store_as<int64_t>(value, 255));
        case ElementKind::unsigned_integer:
            if (type.bits == 1) return put(static_cast<uint8_t>(value >= 0.5f));
            if (type.bits == 8) return put(store_as<uint8_t>(value, 255));
            if (type.bits == 16) return put(store_as<uint16_t>(value, 1023));
            if (type.bits == 32) return put(store_as<uint32_t>(value, 255));
            return put(store_as<uint64_t>(value, 255));
        case ElementKind::handle:
            return put(uint64_t{0});
    }
}

// Returns what a value in [0, 1) stands for.
double number_in(const InputRange &range, ElementType type, float value) {
    const double share = static_cast<double>(value);
    const double width = range.greatest - range.least;
    const bool is_whole = range.whole || !type.is_float();
    const double above =
        is_whole ? std::min(std::floor(share * (width + 1)), width) : share * width;
    return std::max(range.least + above, range.clamp_below.value_or(range.least));
}

// Returns the least and the greatest number of a type; of 64 bits, that a double tells from its
// neighbours.
std::pair<double, double> limits_of(ElementType type) {
    constexpr double kExact = 0x1p53;
    switch (type.kind) {
        case ElementKind::ieee_float:
            if (type.bits == 16) return {-65504, 65504};
            if (type.bits == 32) break;
            return {std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max()};
        case ElementKind::bfloat:
            break;
        case ElementKind::signed_integer:
            if (type.bits == 64) return {-kExact, kExact};
            return {-std::ldexp(1.0, type.bits - 1), std::ldexp(1.0, type.bits - 1) - 1};
        case ElementKind::unsigned_integer:
            if (type.bits == 64) return {0, kExact};
            return {0, std::ldexp(1.0, type.bits) - 1};
        case ElementKind::handle:
            return {0, 0};
    }
    return {std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max()};
}

// Advances to the next element in memory, without the innermost dimension. Returns false after the
// last.
bool advance(std::vector<int64_t> &at, const std::vector<size_t> &order,
             const std::vector<Dimension> &dimensions) {
    for (size_t i = 1; i < order.size(); i++) {
        const size_t d = order[i];
        if (++at[d] < dimensions[d].extent) return true;
        at[d] = 0;
    }
    return false;
}

// Returns the number of the row's first element if dimension 0 were innermost, whatever the layout
// is.
uint64_t logical_index(const std::vector<int64_t> &at, const std::vector<Dimension> &dimensions) {
    int64_t index = 0;
    for (size_t d = dimensions.size(); d-- > 0;) index = index * dimensions[d].extent + at[d];
    return static_cast<uint64_t>(index);
}

}  // namespace

Status check_range(const FilterArgument &argument, const InputRange &range) {
    const auto [least, greatest] = limits_of(argument.type);
    const bool fits = least <= range.least && range.greatest <= greatest;
    if (fits && (argument.type.is_float() || has_whole_ends(range))) return Ok{};
    return Error{"the input " + argument.name + " is of type " + to_string(argument.type) +
                 ", which does not have all of the range that it is to be filled with"};
}

void fill_input(const FilterArgument &argument, uint64_t seed, std::byte *memory,
                const std::optional<InputRange> &range) {
    const std::vector<Dimension> &dimensions = argument.dimensions;
    const Picture picture(dimensions, Hasher(seed).add(argument.name).value());
    const auto put = [&](float value, uint64_t index, std::byte *to) {
        if (!range) return store(argument.type, value, to);
        const float share = range->whole ? picture.noise(index) : value;
        store_number(argument.type, number_in(*range, argument.type, share), to);
    };
    if (dimensions.empty()) return put(picture.single(), 0, memory);
    if (elements_of(argument) == 0) return;
    const std::vector<size_t> order = storage_order(dimensions);
    const size_t inner = order[0];
    uint64_t inner_step = 1;
    for (size_t d = 0; d < inner; d++) inner_step *= static_cast<uint64_t>(dimensions[d].extent);

    std::vector<int64_t> at(dimensions.size(), 0);
    do {
        const Picture::Row row = picture.row(at, inner);
        uint64_t index = logical_index(at, dimensions);
        for (int64_t i = 0; i < dimensions[inner].extent; i++, index += inner_step) {
            put(picture.value(row, inner, i, index), index, memory);
            memory += argument.type.bytes();
        }
    } while (advance(at, order, dimensions));
}

void fill_output(const FilterArgument &argument, Filler filler, std::byte *memory) {
    const size_t bytes = bytes_of(argument);
    if (!argument.type.is_float()) {
        std::memset(memory, filler == Filler::reference ? 0x5a : 0xa5, bytes);
        return;
    }
    const float value = filler == Filler::reference ? std::numeric_limits<float>::infinity()
                                                    : std::numeric_limits<float>::quiet_NaN();
    const size_t size = argument.type.bytes();
    for (size_t at = 0; at < bytes; at += size) store(argument.type, value, memory + at);
}

}  // namespace autoschedule_gpu
