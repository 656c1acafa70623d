// Stable 64-bit hashing: the same values give the same hash on every machine and every run, so a
// hash may be written to a file or decide an order. Not cryptographic. The files of samples,
// features and weights are protected by it. Needs C++17 and the standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace autoschedule_gpu::api {

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

// A hash of bytes, eight at a time. A change within any eight of them always shows, for the hash of
// one word is a bijection; any other change shows but for one in 2^64.
inline uint64_t checksum(std::string_view bytes, uint64_t seed) {
    Hasher hasher;
    hasher.add(seed).add(bytes.size());
    while (!bytes.empty()) {
        uint64_t word = 0;
        const size_t size = bytes.size() < sizeof word ? bytes.size() : sizeof word;
        std::memcpy(&word, bytes.data(), size);
        hasher.add(word);
        bytes.remove_prefix(size);
    }
    return hasher.value();
}

}  // namespace autoschedule_gpu::api
