// What Halide can do through each GPU API, as one table: how large a block and a grid may be, and
// which types and operations a kernel may have. Presets, the resolution of a user's request, the
// reader of pipelines and the README all take it from here.
//
//     api_capabilities ─┬─► presets     the generic device of an API
//                       ├─► resolve     any device, kept to what its API allows
//                       └─► halide/read what stays on the host; what atomics may sum
//
// Limits come twice, for standards differ in what they promise:
//
//   any_device  what a device is taken to hold of which nothing but its API is known: what the
//               standard guarantees, and more only where nearly no device is left out by it. A
//               schedule within these runs wherever the API does.
//   at_most     what no device may exceed, because the standard or Halide's runtime says so. A
//               preset or a file describes a device that may hold more than any_device, not more
//               than this.
//
// Abilities are Halide's as much as the API's: what its code generator refuses is no use to us.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/gpu/gpu_model.h"

namespace autoschedule_gpu {

// clang-format off
// X(field, meaning). The names are those of the GpuModel's fields that they bound.
#define AUTOSCHEDULE_GPU_API_LIMITS(X)                                    \
    X(max_threads_per_block, "threads per block")                         \
    X(max_threads_x, "threads in x")                                      \
    X(max_threads_y, "threads in y")                                      \
    X(max_threads_z, "threads in z")                                      \
    X(max_blocks_x, "blocks in x")                                        \
    X(max_blocks_y, "blocks in y")                                        \
    X(max_blocks_z, "blocks in z")                                        \
    X(shared_bytes_per_block, "bytes of shared memory per block")

// X(ability, what a kernel has that needs it).
#define AUTOSCHEDULE_GPU_API_ABILITIES(X)                                 \
    X(integers_8, "8-bit integers")                                       \
    X(integers_16, "16-bit integers")                                     \
    X(integers_64, "64-bit integers")                                     \
    X(half, "half")                                                       \
    X(doubles, "double")                                                  \
    X(double_math, "mathematical functions of double")                    \
    X(half_power, "pow of half")                                          \
    X(brain_floats, "bfloat16")                                           \
    X(bit_counts, "counts of bits")                                       \
    X(boolean_complements, "`~` of Booleans")                             \
    X(boolean_conversions, "conversions of numbers to Booleans")          \
    X(float_remainders, "remainders of float that may be negative")       \
    X(double_constants, "constants of double that float does not have")   \
    X(unsigned_by_zero, "unsigned division by 0")                         \
    X(runtime_threads, "threads per block known at run time only")        \
    X(stored_booleans, "Booleans in memory")                              \
    X(long_vectors, "vectors of 8 or 16 elements")                        \
    X(wide_vectors, "vectors of more than 16 elements")                   \
    X(atomic_integers_32, "atomic sums of 32-bit integers")               \
    X(atomic_integers_64, "atomic sums of 64-bit integers")               \
    X(atomic_floats, "atomic sums of float")                              \
    X(atomic_doubles, "atomic sums of double")
// clang-format on

// The API sets no bound of its own; the device's counts.
inline constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

struct ApiLimits {
#define AUTOSCHEDULE_GPU_DECLARE_LIMIT(field, meaning) int64_t field;
    AUTOSCHEDULE_GPU_API_LIMITS(AUTOSCHEDULE_GPU_DECLARE_LIMIT)
#undef AUTOSCHEDULE_GPU_DECLARE_LIMIT
};

struct Ability {
    enum class When : uint8_t { always, with_feature, never };
    When when;
    std::string_view feature;  // of the target, in Halide's spelling; empty but for with_feature
};

struct ApiCapabilities {
    GpuApi api;
    std::string_view title;  // as its owner writes it
    ApiLimits any_device;
    ApiLimits at_most;
    int64_t warp_size;             // of a device of which nothing else is known
    int64_t shared_element_bytes;  // least that an element takes in shared memory
#define AUTOSCHEDULE_GPU_DECLARE_ABILITY(ability, what) Ability ability;
    AUTOSCHEDULE_GPU_API_ABILITIES(AUTOSCHEDULE_GPU_DECLARE_ABILITY)
#undef AUTOSCHEDULE_GPU_DECLARE_ABILITY
};

const ApiCapabilities &capabilities(GpuApi api);

// The model with these limits in place of its own, and with the lesser of the two.
GpuModel with_limits(GpuModel model, const ApiLimits &limits);
GpuModel within_limits(GpuModel model, const ApiLimits &limits);

// The table as Markdown, for README.md of this folder: an API a column.
std::string capabilities_markdown();

}  // namespace autoschedule_gpu
