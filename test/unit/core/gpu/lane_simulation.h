// A warp access lane by lane, the slow and plain way: what the formulas are tested against.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "core/gpu/memory_access.h"
#include "core/support/random.h"

namespace autoschedule_gpu {

// First byte of a thread's element, relative to the block's first.
inline int64_t simulated_address(const WarpAccess &access, int64_t x, int64_t y, int64_t z) {
    const double offset = static_cast<double>(x) * access.stride_bytes[0] +
                          static_cast<double>(y) * access.stride_bytes[1] +
                          static_cast<double>(z) * access.stride_bytes[2];
    const auto size = static_cast<double>(access.element_bytes);
    return static_cast<int64_t>(std::floor(offset / size + 1e-6)) * access.element_bytes;
}

// First byte of every active lane, relative to the first lane's. Strides must be known.
inline std::vector<int64_t> simulated_addresses(const GpuModel &model, const WarpAccess &access) {
    std::vector<int64_t> addresses;
    const auto [nx, ny, nz] = access.threads;
    for (int64_t z = 0; z < nz; z++) {
        for (int64_t y = 0; y < ny; y++) {
            for (int64_t x = 0; x < nx; x++) {
                const auto lanes = static_cast<int64_t>(addresses.size());
                if (lanes >= access.active_lanes || lanes >= model.warp_size) return addresses;
                addresses.push_back(simulated_address(access, x, y, z));
            }
        }
    }
    return addresses;
}

// The same of one warp of a block, relative to the block's first thread; `access.block` is set.
inline std::vector<int64_t> simulated_addresses_of_warp(const GpuModel &model,
                                                        const WarpAccess &access, int64_t warp) {
    std::vector<int64_t> addresses;
    int64_t lane = 0;
    for (int64_t z = 0; z < access.block->at(2); z++) {
        for (int64_t y = 0; y < access.block->at(1); y++) {
            for (int64_t x = 0; x < access.block->at(0); x++, lane++) {
                if (lane / model.warp_size != warp) continue;
                if (x >= access.threads[0] || y >= access.threads[1] || z >= access.threads[2]) {
                    continue;
                }
                addresses.push_back(simulated_address(access, x, y, z));
            }
        }
    }
    return addresses;
}

// Counts units of memory, of a size that divides this, from here: division then truncates as floor
// does, wherever an access is relative to its first lane.
inline constexpr int64_t kFarFromZero = int64_t{1} << 40;

// The units of `unit` bytes that the lanes touch, in the mean over the places that a multiple of
// `alignment` bytes may have in one.
inline double simulated_units(const std::vector<int64_t> &addresses, int64_t element_bytes,
                              int64_t alignment, int64_t unit) {
    size_t units = 0, places = 0;
    for (int64_t start = 0; start < std::max(unit, alignment); start += alignment, places++) {
        std::vector<int64_t> touched;
        for (const int64_t address : addresses) {
            const int64_t first = kFarFromZero + start + address;
            const int64_t last = (first + element_bytes - 1) / unit;
            for (int64_t at = first / unit; at <= last; at++) touched.push_back(at);
        }
        std::sort(touched.begin(), touched.end());
        units += static_cast<size_t>(std::unique(touched.begin(), touched.end()) - touched.begin());
    }
    return static_cast<double>(units) / static_cast<double>(places);
}

// Passes through 32 banks of 4 bytes: the greatest number of words in one bank, of each part of the
// warp that goes together.
inline size_t simulated_passes(const std::vector<int64_t> &addresses, int64_t element_bytes,
                               size_t lanes_per_pass) {
    size_t expected = 0;
    for (size_t start = 0; start < addresses.size(); start += lanes_per_pass) {
        std::map<int64_t, std::set<int64_t>> words_of_bank;
        for (size_t l = start; l < std::min(start + lanes_per_pass, addresses.size()); l++) {
            for (int64_t byte = 0; byte < element_bytes; byte++) {
                const int64_t word = (kFarFromZero + addresses[l] + byte) / 4;
                words_of_bank[word % 32].insert(word);
            }
        }
        size_t passes = 0;
        for (const auto &[bank, words] : words_of_bank) {
            passes = std::max(passes, words.size());
        }
        expected += passes;
    }
    return expected;
}

inline size_t lanes_that_go_together(int64_t element_bytes) {
    return element_bytes == 16 ? 8 : element_bytes == 8 ? 16 : 32;
}

// Passes of an access to shared memory, of which twice as many lanes go together where every lane
// has its address from the lane below it in its pair, or in its four.
inline size_t simulated_shared_passes(const std::vector<int64_t> &addresses,
                                      int64_t element_bytes) {
    std::array<bool, 2> agree = {true, true};
    for (size_t l = 0; l < addresses.size(); l++) {
        if (l % 2 == 1) agree[0] &= addresses[l] == addresses[l - 1];
        if (l % 4 >= 2) agree[1] &= addresses[l] == addresses[l - 2];
    }
    const size_t lanes = lanes_that_go_together(element_bytes);
    return simulated_passes(addresses, element_bytes,
                            lanes < 32 && (agree[0] || agree[1]) ? 2 * lanes : lanes);
}

// Passes of an access to global memory: those of shared memory where no lanes agree, but no more
// than four lines of 128 bytes in each.
inline double simulated_wavefronts(const std::vector<int64_t> &addresses,
                                   const WarpAccess &access) {
    return std::max(
        static_cast<double>(simulated_passes(addresses, access.element_bytes,
                                             lanes_that_go_together(access.element_bytes))),
        simulated_units(addresses, access.element_bytes, access.alignment_bytes, 128) / 4);
}

// A random access with known strides; thirds and halves of elements among them.
inline WarpAccess random_access(Random &random) {
    WarpAccess access;
    access.element_bytes = int64_t{1} << random.between(0, 4);
    access.active_lanes = random.below(4) == 0 ? random.between(1, 32) : 32;
    const int64_t shapes[][3] = {{32, 1, 1}, {16, 16, 1}, {8, 8, 4},  {64, 4, 1}, {1, 32, 1},
                                 {3, 5, 7},  {17, 9, 1},  {24, 4, 1}, {4, 2, 2},  {1, 1, 1}};
    const auto &shape = shapes[random.below(std::size(shapes))];
    access.threads = {shape[0], shape[1], shape[2]};
    for (double &stride : access.stride_bytes) {
        const int64_t numerator =
            random.below(3) == 0 ? random.between(-2000, 2000) : random.between(-4, 20);
        const int64_t denominator = random.below(4) == 0 ? random.between(1, 4) : 1;
        stride = static_cast<double>(access.element_bytes * numerator) /
                 static_cast<double>(denominator);
    }
    access.alignment_bytes = int64_t{1} << random.between(0, 8);
    return access;
}

}  // namespace autoschedule_gpu
