// Stable 64-bit hashing: the same values give the same hash on every machine and every run, so a
// hash may be written to a file or decide an order. Not cryptographic.
#pragma once

#include <cstdint>
#include <string_view>

namespace autoschedule_gpu {

// Finaliser with full avalanche (Stafford's variant 13 of the MurmurHash3 mixer).
constexpr uint64_t mix64(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

// Order-dependent accumulator.
class Hasher {
public:
    constexpr explicit Hasher(uint64_t seed = 0) : state_(mix64(seed + kIncrement)) {}

    constexpr Hasher &add(uint64_t value) {
        state_ = mix64(state_ ^ mix64(value + kIncrement)) + kIncrement;
        return *this;
    }
    constexpr Hasher &add(std::string_view text) {
        add(text.size());
        for (char c : text) add(static_cast<unsigned char>(c));
        return *this;
    }
    constexpr uint64_t value() const { return mix64(state_); }

private:
    static constexpr uint64_t kIncrement = 0x9e3779b97f4a7c15ULL;
    uint64_t state_;
};

}  // namespace autoschedule_gpu
