// [OpenCL]  Khronos, The OpenCL Specification 3.0, "Device Queries".
// [Vulkan]  Khronos, Vulkan 1.3, "Required Limits"; its appendix "Roadmap Milestones".
// [Metal]   Apple, Metal Feature Set Tables, "Implementation Limits by GPU Family".
// [D3D]     Microsoft, "Compute Shader Overview" (cs_5_0) and d3d12.h, D3D12_CS_*.
// [WebGPU]  W3C, WebGPU, "Limits": the defaults, which every adapter has.
// [Guide]   NVIDIA, CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
// [Halide]  Halide 21.0.0, found by compiling a kernel for each type, function and atomic update
//           with each API, and by reading the code that comes out. Its errors are quoted.
#include "core/gpu/api_capabilities.h"

#include <algorithm>
#include <iterator>

#include "core/gpu/binary_units.h"

namespace autoschedule_gpu {

namespace {

// A grid's first dimension, as CUDA and the OpenCL of NVIDIA have it.
constexpr int64_t kLongDimension = 2147483647;

constexpr ApiLimits kNoLimits = {kNoLimit, kNoLimit, kNoLimit, kNoLimit,
                                 kNoLimit, kNoLimit, kNoLimit, kNoLimit};

constexpr Ability kAlways = {Ability::When::always, ""};
constexpr Ability kNever = {Ability::When::never, ""};

constexpr Ability needs(std::string_view feature) {
    return {Ability::When::with_feature, feature};
}

constexpr ApiCapabilities cuda() {
    // [Guide]. 48 KiB: Halide's runtime never asks for more, which CUDA wants done by hand.
    constexpr ApiLimits kLimits = {.max_threads_per_block = 1024,
                                   .max_threads_x = 1024,
                                   .max_threads_y = 1024,
                                   .max_threads_z = 64,
                                   .max_blocks_x = kLongDimension,
                                   .max_blocks_y = 65535,
                                   .max_blocks_z = 65535,
                                   .shared_bytes_per_block = 48 * kKiB};
    return {.api = GpuApi::cuda,
            .title = "CUDA",
            .any_device = kLimits,
            .at_most = kLimits,
            .warp_size = 32,
            .shared_element_bytes = 1,
            .integers_8 = kAlways,
            .integers_16 = kAlways,
            .integers_64 = kAlways,
            .half = kAlways,
            .doubles = kAlways,
            .double_math = kAlways,
            .half_power = kAlways,
            .brain_floats = kNever,  // an assertion of LLVM's ends the process
            .bit_counts = kAlways,
            .boolean_complements = kAlways,
            .boolean_conversions = kAlways,
            .float_remainders = kAlways,
            .double_constants = kAlways,
            .unsigned_by_zero = kAlways,
            .runtime_threads = kAlways,
            .stored_booleans = kAlways,
            .long_vectors = kAlways,
            .wide_vectors = kAlways,
            .atomic_integers_32 = kAlways,
            .atomic_integers_64 = kAlways,
            .atomic_floats = kAlways,
            .atomic_doubles = kAlways};
}

constexpr ApiCapabilities opencl() {
    // The standard promises one thread a block [OpenCL, CL_DEVICE_MAX_WORK_GROUP_SIZE], which
    // nobody could use. 256 is what the weaker desktop and mobile GPUs report; 32 KiB is promised
    // [CL_DEVICE_LOCAL_MEM_SIZE]. Grids have no limit there: these are CUDA's, below OpenCL too.
    return {.api = GpuApi::opencl,
            .title = "OpenCL",
            .any_device = {.max_threads_per_block = 256,
                           .max_threads_x = 256,
                           .max_threads_y = 256,
                           .max_threads_z = 64,
                           .max_blocks_x = kLongDimension,
                           .max_blocks_y = 65535,
                           .max_blocks_z = 65535,
                           .shared_bytes_per_block = 32 * kKiB},
            .at_most = kNoLimits,
            .warp_size = 32,
            .shared_element_bytes = 1,
            .integers_8 = kAlways,
            .integers_16 = kAlways,
            .integers_64 = kAlways,
            // "OpenCL kernel uses double type, but CLDoubles target flag not enabled"
            .half = needs("cl_half"),
            .doubles = needs("cl_doubles"),
            .double_math = needs("cl_doubles"),
            .half_power = needs("cl_half"),
            // Some are emitted as half, which has other bits.
            .brain_floats = kNever,
            // The code calls halide_popcount and the like, which nothing declares; `~` of a bool is
            // C's, of an int that is never -1: true; and what is converted to a bool is compared
            // with 0, where it is the lowest bit elsewhere.
            .bit_counts = kNever,
            .boolean_complements = kNever,
            .boolean_conversions = kNever,
            // `%` of floats is fmod, whose sign is the dividend's; constants of double are written
            // as float; and C's division has no guard, where Halide says 0.
            .float_remainders = kNever,
            .double_constants = kNever,
            .unsigned_by_zero = kNever,
            .runtime_threads = kAlways,
            .stored_booleans = kAlways,
            .long_vectors = kAlways,
            // "Unsupported vector width in OpenCL C"; the others stop at 4.
            .wide_vectors = kNever,
            // "Enable feature CLAtomics64...". Sums of double are left out: they would be a loop
            // around a 64-bit compare-and-swap.
            .atomic_integers_32 = kAlways,
            .atomic_integers_64 = needs("cl_atomics64"),
            .atomic_floats = kAlways,
            .atomic_doubles = kNever};
}

constexpr ApiCapabilities metal() {
    // [Metal]. Blocks: 512 threads on Apple2 and Apple3, 1024 on all others, but less for a kernel
    // of many registers (maxTotalThreadsPerThreadgroup), so the smaller of the two. Shared memory:
    // 32 KiB on all since Apple4 (2017) and on every Mac. 64 in z: what Macs with Intel's and AMD's
    // GPUs report as maxThreadsPerThreadgroup.
    return {.api = GpuApi::metal,
            .title = "Metal",
            .any_device = {.max_threads_per_block = 512,
                           .max_threads_x = 512,
                           .max_threads_y = 512,
                           .max_threads_z = 64,
                           .max_blocks_x = kLongDimension,
                           .max_blocks_y = 65535,
                           .max_blocks_z = 65535,
                           .shared_bytes_per_block = 32 * kKiB},
            .at_most = {.max_threads_per_block = 1024,
                        .max_threads_x = 1024,
                        .max_threads_y = 1024,
                        .max_threads_z = 1024,
                        .max_blocks_x = kNoLimit,
                        .max_blocks_y = kNoLimit,
                        .max_blocks_z = kNoLimit,
                        .shared_bytes_per_block = 32 * kKiB},
            .warp_size = 32,
            .shared_element_bytes = 1,
            .integers_8 = kAlways,
            .integers_16 = kAlways,
            // "Metal does not support 64-bit integers.": it does, Halide's backend does not.
            .integers_64 = kNever,
            .half = kAlways,
            .doubles = kNever,
            .double_math = kNever,
            .half_power = kAlways,
            .brain_floats = kNever,
            .bit_counts = kNever,
            .boolean_complements = kNever,
            .boolean_conversions = kNever,
            .float_remainders = kNever,
            .double_constants = kNever,
            .unsigned_by_zero = kNever,
            .runtime_threads = kAlways,
            .stored_booleans = kAlways,
            .long_vectors = kNever,
            .wide_vectors = kNever,
            // "Atomic updates are not supported inside Metal kernels"
            .atomic_integers_32 = kNever,
            .atomic_integers_64 = kNever,
            .atomic_floats = kNever,
            .atomic_doubles = kNever};
}

constexpr ApiCapabilities vulkan() {
    // Required are 128 threads, (128, 128, 64), and 16 KiB [Vulkan]; the Roadmap 2022 milestone
    // requires 256, (256, 256, 64), which SwiftShader, V3D and every desktop device have as well.
    // Shared memory stays at what is required, for V3D and some of PowerVR have no more.
    return {.api = GpuApi::vulkan,
            .title = "Vulkan",
            .any_device = {.max_threads_per_block = 256,
                           .max_threads_x = 256,
                           .max_threads_y = 256,
                           .max_threads_z = 64,
                           .max_blocks_x = 65535,
                           .max_blocks_y = 65535,
                           .max_blocks_z = 65535,
                           .shared_bytes_per_block = 16 * kKiB},
            .at_most = kNoLimits,
            .warp_size = 32,
            .shared_element_bytes = 1,
            // "Code requires 8-bit integer support (which is not enabled in the target features)"
            .integers_8 = needs("vk_int8"),
            .integers_16 = needs("vk_int16"),
            .integers_64 = needs("vk_int64"),
            .half = needs("vk_float16"),
            .doubles = needs("vk_float64"),
            // "unhandled SPIR-V GLSL builtin function 'floor_f64' encountered."
            .double_math = kNever,
            .half_power = kNever,  // an internal error, without text
            .brain_floats = kNever,
            // "Unhandled intrinsic in Vulkan backend: popcount"
            .bit_counts = kNever,
            .boolean_complements = kNever,
            .boolean_conversions = kNever,
            // `%` of floats is OpFRem, whose sign is the dividend's; OpUDiv has no guard.
            .float_remainders = kNever,
            .double_constants = needs("vk_float64"),
            .unsigned_by_zero = kNever,
            // "Dynamic workgroup sizes require Vulkan v1.3+ support!"
            .runtime_threads = needs("vk_v13"),
            .stored_booleans = kNever,  // the compiler crashes
            .long_vectors = kNever,
            .wide_vectors = kNever,
            // "Atomic updates are not supported inside Vulkan kernels"
            .atomic_integers_32 = kNever,
            .atomic_integers_64 = kNever,
            .atomic_floats = kNever,
            .atomic_doubles = kNever};
}

constexpr ApiCapabilities d3d12compute() {
    // The same on every device [D3D]: D3D12_CS_THREAD_GROUP_MAX_THREADS_PER_GROUP, _MAX_X, _Y, _Z,
    // D3D12_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION, D3D12_CS_TGSM_REGISTER_COUNT words.
    constexpr ApiLimits kLimits = {.max_threads_per_block = 1024,
                                   .max_threads_x = 1024,
                                   .max_threads_y = 1024,
                                   .max_threads_z = 64,
                                   .max_blocks_x = 65535,
                                   .max_blocks_y = 65535,
                                   .max_blocks_z = 65535,
                                   .shared_bytes_per_block = 32 * kKiB};
    return {.api = GpuApi::d3d12compute,
            .title = "Direct3D 12",
            .any_device = kLimits,
            .at_most = kLimits,
            .warp_size = 32,
            // An array of uint8 is emitted as `groupshared uint`.
            .shared_element_bytes = 4,
            .integers_8 = kAlways,
            .integers_16 = kAlways,
            // "HLSL (SM 5.1) does not support 64-bit integers."
            .integers_64 = kNever,
            // Accepted, as RWBuffer<half>; but half is a name for float in HLSL of that age.
            .half = kNever,
            .doubles = kNever,
            .double_math = kNever,
            .half_power = kNever,
            .brain_floats = kNever,
            .bit_counts = kNever,
            .boolean_complements = kNever,
            .boolean_conversions = kNever,
            .float_remainders = kNever,
            .double_constants = kNever,
            .unsigned_by_zero = kNever,
            .runtime_threads = kAlways,
            .stored_booleans = kAlways,
            .long_vectors = kNever,
            .wide_vectors = kNever,
            // "Atomics operations are not supported inside D3D12Compute kernel."
            .atomic_integers_32 = kNever,
            .atomic_integers_64 = kNever,
            .atomic_floats = kNever,
            .atomic_doubles = kNever};
}

constexpr ApiCapabilities webgpu() {
    // [WebGPU]. An adapter may offer more, and a program has to ask for it.
    return {.api = GpuApi::webgpu,
            .title = "WebGPU",
            .any_device = {.max_threads_per_block = 256,
                           .max_threads_x = 256,
                           .max_threads_y = 256,
                           .max_threads_z = 64,
                           .max_blocks_x = 65535,
                           .max_blocks_y = 65535,
                           .max_blocks_z = 65535,
                           .shared_bytes_per_block = 16 * kKiB},
            .at_most = kNoLimits,
            .warp_size = 32,
            // An array of uint8 is emitted as `array<u32, n>`.
            .shared_element_bytes = 4,
            .integers_8 = kAlways,
            .integers_16 = kAlways,
            // "Invalid integer bitwidth for WGSL"; "WGSL only supports 32-bit floats"
            .integers_64 = kNever,
            .half = kNever,
            .doubles = kNever,
            .double_math = kNever,
            .half_power = kNever,
            .brain_floats = kNever,
            .bit_counts = kNever,
            .boolean_complements = kNever,
            .boolean_conversions = kNever,
            .float_remainders = kNever,
            .double_constants = kNever,
            .unsigned_by_zero = kNever,
            .runtime_threads = kAlways,
            .stored_booleans = kAlways,
            .long_vectors = kNever,
            .wide_vectors = kNever,
            // Accepted by Halide; but nothing has run them here.
            .atomic_integers_32 = kNever,
            .atomic_integers_64 = kNever,
            .atomic_floats = kNever,
            .atomic_doubles = kNever};
}

// In the order of GpuApi.
constexpr ApiCapabilities kTable[] = {cuda(),   opencl(),       metal(),
                                      vulkan(), d3d12compute(), webgpu()};
static_assert(std::size(kTable) == kGpuApiNames.size());

// A row of the table: its name and what it says of each API.
template <typename Cell>
std::string row(std::string_view name, Cell cell) {
    std::string text = "| " + std::string(name) + " |";
    for (const ApiCapabilities &api : kTable) text += " " + cell(api) + " |";
    return text + "\n";
}

std::string shown(const Ability &ability) {
    if (ability.when == Ability::When::always) return "yes";
    if (ability.when == Ability::When::never) return "no";
    return "`" + std::string(ability.feature) + "`";
}

// "256", or "256 (1024)" where a device may have more than any device has; "any" for no limit.
std::string shown(int64_t any_device, int64_t at_most) {
    const std::string least = std::to_string(any_device);
    if (any_device == at_most) return least;
    return least + " (" + (at_most == kNoLimit ? "any" : std::to_string(at_most)) + ")";
}

}  // namespace

const ApiCapabilities &capabilities(GpuApi api) {
    return kTable[static_cast<size_t>(api)];
}

GpuModel with_limits(GpuModel model, const ApiLimits &limits) {
#define AUTOSCHEDULE_GPU_SET(field, meaning) model.field = limits.field;
    AUTOSCHEDULE_GPU_API_LIMITS(AUTOSCHEDULE_GPU_SET)
#undef AUTOSCHEDULE_GPU_SET
    return model;
}

GpuModel within_limits(GpuModel model, const ApiLimits &limits) {
#define AUTOSCHEDULE_GPU_BOUND(field, meaning) model.field = std::min(model.field, limits.field);
    AUTOSCHEDULE_GPU_API_LIMITS(AUTOSCHEDULE_GPU_BOUND)
#undef AUTOSCHEDULE_GPU_BOUND
    return model;
}

std::string capabilities_markdown() {
    std::string text = row("", [](const auto &api) { return std::string(api.title); });
    text += row("---", [](const auto &) { return std::string("---"); });
#define AUTOSCHEDULE_GPU_LIMIT_ROW(field, meaning) \
    text += row(meaning,                           \
                [](const auto &api) { return shown(api.any_device.field, api.at_most.field); });
    AUTOSCHEDULE_GPU_API_LIMITS(AUTOSCHEDULE_GPU_LIMIT_ROW)
#undef AUTOSCHEDULE_GPU_LIMIT_ROW
    text += row("threads of a warp", [](const auto &api) { return std::to_string(api.warp_size); });
    text += row("least bytes of an element in shared memory",
                [](const auto &api) { return std::to_string(api.shared_element_bytes); });
#define AUTOSCHEDULE_GPU_ABILITY_ROW(ability, what) \
    text += row(what, [](const auto &api) { return shown(api.ability); });
    AUTOSCHEDULE_GPU_API_ABILITIES(AUTOSCHEDULE_GPU_ABILITY_ROW)
#undef AUTOSCHEDULE_GPU_ABILITY_ROW
    return text;
}

}  // namespace autoschedule_gpu
