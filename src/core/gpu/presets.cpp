// The built-in devices: what a product has of its architecture (architectures.h), and who says so.
#include "core/gpu/presets.h"

#include <array>
#include <utility>

#include "core/gpu/architectures.h"

namespace autoschedule_gpu {

namespace {

constexpr int64_t kKiB = 1024;
constexpr int64_t kMiB = 1024 * kKiB;
constexpr int64_t kGiB = 1024 * kMiB;

struct Product {
    std::string_view name;
    GpuModel (*architecture)();
    int64_t sm_count;
    double clock_ghz;
    int64_t dram_bytes;
    double dram_gb_per_s;
    int64_t l2_bytes;
    double l2_gb_per_s;
    std::string_view source;  // of all but the rate of L2, unless it says so
};

// No vendor says how fast an L2 is. Estimates: the A100's from its whitepaper's 5120 bytes a cycle
// (7219 GB/s), at the share of peak (0.69) that Jia et al. 2018 measured on the V100, and the
// MI210's from 4096 bytes a cycle at the same share; the RTX 4090's from public
// microbenchmarks (about 5 TB/s); the H100's and the H200's as an H200 did (apps/measured: 34 bytes
// of an SM a cycle, from 540 KB; others found 5.5 to 7 TB/s from more); all others in bytes of an
// SM a cycle, as measured of the V100 or as estimated of the RTX 4090.
constexpr double kVoltaL2 = 2155 / (80 * 1.53), kAdaL2 = 5000 / (128 * 2.52);
constexpr double per_cycle(int64_t sm_count, double clock_ghz, double bytes) {
    return static_cast<double>(sm_count) * clock_ghz * bytes;
}

// Of CUDA in the order in which their architectures appeared, then of other APIs. Apple's clocks
// follow from its figures: 256 floating-point operations of a core a cycle. What Apple says nothing
// of is an estimate: the L2, and of the M1 the bandwidth (128 bits of LPDDR4X-4266).
// clang-format off
constexpr Product kProducts[] = {
    {"V100", volta, 80, 1.53, 16 * kGiB, 900, 6 * kMiB, 2155,
     "Tesla V100 whitepaper (SXM2, 16 GB); L2 rate measured by Jia et al. 2018"},
    {"RTX2060", turing, 30, 1.68, 6 * kGiB, 336, 3 * kMiB, per_cycle(30, 1.68, kVoltaL2),
     "NVIDIA, GeForce RTX 2060 specifications; L2 by review sites"},
    {"RTX2070", turing, 36, 1.62, 8 * kGiB, 448, 4 * kMiB, per_cycle(36, 1.62, kVoltaL2),
     "Turing whitepaper (reference card)"},
    {"RTX2080", turing, 46, 1.71, 8 * kGiB, 448, 4 * kMiB, per_cycle(46, 1.71, kVoltaL2),
     "Turing whitepaper (reference card)"},
    {"RTX2080Ti", turing, 68, 1.545, 11 * kGiB, 616, 5632 * kKiB, 1900,
     "Turing whitepaper (reference card)"},
    {"T4", turing, 40, 1.59, 16 * kGiB, 320, 4 * kMiB, per_cycle(40, 1.59, kVoltaL2),
     "Turing whitepaper; Tesla T4 datasheet; Jia et al. 2019"},
    {"A100", ampere_datacenter, 108, 1.41, 40 * kGiB, 1555, 40 * kMiB, 4980,
     "A100 whitepaper (SXM4, 40 GB)"},
    {"A10", ampere_desktop, 72, 1.695, 24 * kGiB, 600, 6 * kMiB, per_cycle(72, 1.695, kVoltaL2),
     "A10 datasheet"},
    {"A40", ampere_desktop, 84, 1.74, 48 * kGiB, 696, 6 * kMiB, per_cycle(84, 1.74, kVoltaL2),
     "A40 datasheet"},
    {"RTX3060", ampere_desktop, 28, 1.777, 12 * kGiB, 360, 3 * kMiB, per_cycle(28, 1.777, kVoltaL2),
     "NVIDIA, GeForce RTX 3060 specifications (12 GB); L2 by review sites"},
    {"RTX3070", ampere_desktop, 46, 1.725, 8 * kGiB, 448, 4 * kMiB, per_cycle(46, 1.725, kVoltaL2),
     "GA102 whitepaper"},
    {"RTX3080", ampere_desktop, 68, 1.71, 10 * kGiB, 760, 5 * kMiB, per_cycle(68, 1.71, kVoltaL2),
     "GA102 whitepaper (10 GB)"},
    {"RTX3090", ampere_desktop, 82, 1.695, 24 * kGiB, 936, 6 * kMiB, 2450,
     "GA102 whitepaper (Founders Edition)"},
    {"Orin", orin, 16, 1.3, 64 * kGiB, 204.8, 4 * kMiB, per_cycle(16, 1.3, kVoltaL2),
     "Jetson AGX Orin Series technical brief (64 GB)"},
    {"L4", ada, 58, 2.04, 24 * kGiB, 300, 48 * kMiB, per_cycle(58, 2.04, kAdaL2),
     "L4 datasheet; Ada whitepaper"},
    {"L40S", ada, 142, 2.52, 48 * kGiB, 864, 96 * kMiB, per_cycle(142, 2.52, kAdaL2),
     "L40S datasheet; Ada whitepaper"},
    {"RTX4060", ada, 24, 2.46, 8 * kGiB, 272, 24 * kMiB, per_cycle(24, 2.46, kAdaL2),
     "NVIDIA, GeForce RTX 4060 specifications"},
    {"RTX4070", ada, 46, 2.475, 12 * kGiB, 504, 36 * kMiB, per_cycle(46, 2.475, kAdaL2),
     "NVIDIA, GeForce RTX 4070 specifications"},
    {"RTX4080", ada, 76, 2.505, 16 * kGiB, 717, 64 * kMiB, per_cycle(76, 2.505, kAdaL2),
     "Ada whitepaper"},
    {"RTX4090", ada, 128, 2.52, 24 * kGiB, 1008, 72 * kMiB, 5000,
     "Ada whitepaper (Founders Edition)"},
    {"H100", hopper, 132, 1.98, 80 * kGiB, 3352, 50 * kMiB, 8900,
     "H100 whitepaper (SXM5, 80 GB)"},
    {"H200", hopper, 132, 1.98, 141'000'000'000, 4800, 50 * kMiB, 8900,
     "H200 datasheet (SXM, 141 GB); the chip is the H100's"},
    {"RTX5070", blackwell_desktop, 48, 2.512, 12 * kGiB, 672, 48 * kMiB,
     per_cycle(48, 2.512, kAdaL2), "RTX Blackwell whitepaper"},
    {"RTX5080", blackwell_desktop, 84, 2.617, 16 * kGiB, 960, 64 * kMiB,
     per_cycle(84, 2.617, kAdaL2), "RTX Blackwell whitepaper"},
    {"RTX5090", blackwell_desktop, 170, 2.407, 32 * kGiB, 1792, 96 * kMiB,
     per_cycle(170, 2.407, kAdaL2), "RTX Blackwell whitepaper"},
    {"MI210", cdna2, 104, 1.7, 64 * kGiB, 1638, 8 * kMiB, 4800,
     "AMD Instinct MI210 data sheet; CDNA 2 whitepaper"},
    {"RX7900XTX", rdna3, 96, 2.5, 24 * kGiB, 960, 6 * kMiB, per_cycle(96, 2.5, kVoltaL2),
     "AMD, Radeon RX 7900 XTX specifications; L2 by RDNA 3 architecture slides"},
    {"M1", apple, 8, 1.278, 8 * kGiB, 68.3, kMiB, per_cycle(8, 1.278, kVoltaL2),
     "Apple, November 2020: 8 cores, 2.6 TFLOPS"},
    {"M1Max", apple, 32, 1.27, 32 * kGiB, 400, kMiB, per_cycle(32, 1.27, kVoltaL2),
     "Apple, October 2021: 32 cores, 10.4 TFLOPS, 400 GB/s"},
    {"M2", apple, 10, 1.398, 8 * kGiB, 100, kMiB, per_cycle(10, 1.398, kVoltaL2),
     "Apple, June 2022: 10 cores, 3.6 TFLOPS, 100 GB/s"},
};
// clang-format on

constexpr std::array kGenericApis = {GpuApi::opencl, GpuApi::metal, GpuApi::vulkan,
                                     GpuApi::d3d12compute, GpuApi::webgpu};

GpuPreset preset_of(const Product &product) {
    GpuModel m = product.architecture();
    m.name = product.name;
    m.sm_count = product.sm_count;
    m.clock_ghz = product.clock_ghz;
    m.dram_bytes = product.dram_bytes;
    m.dram_bandwidth_gb_per_s = product.dram_gb_per_s;
    m.l2_bytes = product.l2_bytes;
    m.l2_bandwidth_gb_per_s = product.l2_gb_per_s;
    return {std::move(m), product.source};
}

}  // namespace

std::vector<GpuPreset> gpu_presets() {
    std::vector<GpuPreset> presets;
    for (const Product &product : kProducts) presets.push_back(preset_of(product));
    for (const GpuApi api : kGenericApis) {
        presets.push_back({generic_device(api), "what any device of the API is taken to have"});
    }
    return presets;
}

std::vector<std::string> preset_names() {
    std::vector<std::string> names;
    for (const GpuPreset &preset : gpu_presets()) names.push_back(preset.model.name);
    return names;
}

Result<GpuModel> find_preset(std::string_view name) {
    const std::string wanted = normalised_device_name(name);
    std::string known;
    for (GpuPreset &preset : gpu_presets()) {
        if (normalised_device_name(preset.model.name) == wanted) return std::move(preset.model);
        known += (known.empty() ? "" : ", ") + preset.model.name;
    }
    return Error{"unknown GPU '" + std::string(name) + "'; known presets: " + known};
}

GpuModel generic_preset(GpuApi api) {
    return find_preset(std::string(to_string(api)) + "-generic").value();
}

GpuModel preset_for_capability(int64_t capability) {
    constexpr std::pair<int64_t, std::string_view> kStandFor[] = {
        {120, "RTX5090"}, {90, "H100"}, {89, "RTX4090"},  {87, "Orin"},
        {86, "RTX3090"},  {80, "A100"}, {75, "RTX2080Ti"}};
    for (const auto &[least, name] : kStandFor) {
        if (capability >= least) return find_preset(name).value();
    }
    return find_preset("V100").value();
}

}  // namespace autoschedule_gpu
