// The built-in devices. A family function states what all chips of one architecture share, once; a
// product function adds what the product has of it. "Estimate" marks a figure that no vendor
// publishes; the sentence beside it says what it rests on.
//
// [Guide]  NVIDIA, CUDA C++ Programming Guide: "Technical Specifications per Compute Capability"
//          and "Throughput of Native Arithmetic Instructions".
// [Calc]   NVIDIA, CUDA Occupancy Calculator: allocation units and reserved shared memory.
// [Jia18]  Jia et al. 2018, Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking.
// [Jia19]  Jia et al. 2019, Dissecting the NVIDIA Turing T4 GPU via Microbenchmarking.
// [Luo24]  Luo et al. 2024, Benchmarking and Dissecting the Nvidia Hopper GPU Architecture
//          (A100, RTX 4090 and H100 side by side).
#include <iterator>

#include "core/gpu/api_capabilities.h"

namespace autoschedule_gpu {

namespace {

constexpr int64_t kKiB = 1024;
constexpr int64_t kMiB = 1024 * kKiB;
constexpr int64_t kGiB = 1024 * kMiB;

// What every CUDA device since compute capability 7.0 shares [Guide, Calc].
GpuModel cuda_device(int64_t major, int64_t minor) {
    GpuModel m;
    m.api = GpuApi::cuda;
    m.compute_capability_major = major;
    m.compute_capability_minor = minor;
    m.warp_size = capabilities(m.api).warp_size;
    m.registers_per_sm = 65536;
    m.max_registers_per_thread = 64;  // Halide's runtime, not the hardware (255)
    m.register_unit_per_warp = 256;
    m.runtime_threads = 1;
    m.warp_allocation_unit = 4;
    m.shared_reserved_bytes_per_block = major >= 8 ? kKiB : 0;
    m.shared_unit_bytes = major >= 8 ? 128 : 256;
    m.shared_element_bytes = capabilities(m.api).shared_element_bytes;
    m.warp_schedulers_per_sm = 4;
    m.special_lanes_per_sm = 16;
    m.l1_sector_bytes = 32;
    m.cache_line_bytes = 128;
    m.shared_banks = 32;
    m.shared_bank_bytes = 4;
    m.arithmetic_latency_cycles = 4;  // [Jia18], [Jia19]; the same in later microbenchmarks
    m.kernel_launch_us = 3;           // estimate: back-to-back launches of small kernels, 2 to 5
    return with_limits(m, capabilities(m.api).any_device);
}

GpuModel volta() {  // NVIDIA Tesla V100 whitepaper; [Guide] 7.0
    GpuModel m = cuda_device(7, 0);
    m.max_threads_per_sm = 2048;
    m.max_warps_per_sm = 64;
    m.max_blocks_per_sm = 32;
    m.shared_bytes_per_sm = 96 * kKiB;
    m.l1_bytes_per_sm = 128 * kKiB;
    m.fp32_lanes_per_sm = 64;
    m.fp16_lanes_per_sm = 128;
    m.fp64_lanes_per_sm = 32;
    m.int32_lanes_per_sm = 64;
    m.load_store_lanes_per_sm = 32;
    m.shared_latency_cycles = 19;  // [Jia18]
    m.l1_latency_cycles = 28;      // [Jia18]
    m.l2_latency_cycles = 193;     // [Jia18]
    m.dram_latency_cycles = 425;   // estimate: [Jia18] finds 375 with, 1029 without a TLB hit
    return m;
}

GpuModel turing() {  // NVIDIA Turing whitepaper; [Guide] 7.5
    GpuModel m = cuda_device(7, 5);
    m.max_threads_per_sm = 1024;
    m.max_warps_per_sm = 32;
    m.max_blocks_per_sm = 16;
    m.shared_bytes_per_sm = 64 * kKiB;
    m.l1_bytes_per_sm = 96 * kKiB;
    m.fp32_lanes_per_sm = 64;
    m.fp16_lanes_per_sm = 128;
    m.fp64_lanes_per_sm = 2;
    m.int32_lanes_per_sm = 64;
    m.load_store_lanes_per_sm = 16;
    m.shared_latency_cycles = 19;  // [Jia19], on a T4
    m.l1_latency_cycles = 32;      // [Jia19]
    m.l2_latency_cycles = 188;     // [Jia19]
    m.dram_latency_cycles = 400;   // estimate: [Jia19] finds 296 at the T4's lower clock
    return m;
}

GpuModel ampere_datacenter() {  // NVIDIA A100 whitepaper; [Guide] 8.0
    GpuModel m = cuda_device(8, 0);
    m.max_threads_per_sm = 2048;
    m.max_warps_per_sm = 64;
    m.max_blocks_per_sm = 32;
    m.shared_bytes_per_sm = 164 * kKiB;
    m.l1_bytes_per_sm = 192 * kKiB;
    m.fp32_lanes_per_sm = 64;
    m.fp16_lanes_per_sm = 256;
    m.fp64_lanes_per_sm = 32;
    m.int32_lanes_per_sm = 64;
    m.load_store_lanes_per_sm = 32;
    m.shared_latency_cycles = 29;  // [Luo24]
    m.l1_latency_cycles = 38;      // [Luo24]
    m.l2_latency_cycles = 262;     // [Luo24]
    m.dram_latency_cycles = 466;   // [Luo24]
    return m;
}

GpuModel ampere_desktop() {  // NVIDIA Ampere GA102 whitepaper; [Guide] 8.6
    GpuModel m = cuda_device(8, 6);
    m.max_threads_per_sm = 1536;
    m.max_warps_per_sm = 48;
    m.max_blocks_per_sm = 16;
    m.shared_bytes_per_sm = 100 * kKiB;
    m.l1_bytes_per_sm = 128 * kKiB;
    m.fp32_lanes_per_sm = 128;
    m.fp16_lanes_per_sm = 128;
    m.fp64_lanes_per_sm = 2;
    m.int32_lanes_per_sm = 64;
    m.load_store_lanes_per_sm = 16;
    m.shared_latency_cycles = 29;  // estimate: as the A100
    m.l1_latency_cycles = 38;      // estimate: as the A100
    m.l2_latency_cycles = 240;     // estimate: between Turing and the A100's two partitions
    m.dram_latency_cycles = 500;   // estimate: between the A100 and Ada
    return m;
}

GpuModel ada() {  // NVIDIA Ada GPU Architecture whitepaper; [Guide] 8.9
    GpuModel m = cuda_device(8, 9);
    m.max_threads_per_sm = 1536;
    m.max_warps_per_sm = 48;
    m.max_blocks_per_sm = 24;
    m.shared_bytes_per_sm = 100 * kKiB;
    m.l1_bytes_per_sm = 128 * kKiB;
    m.fp32_lanes_per_sm = 128;
    m.fp16_lanes_per_sm = 128;
    m.fp64_lanes_per_sm = 2;
    m.int32_lanes_per_sm = 64;
    m.load_store_lanes_per_sm = 16;
    m.shared_latency_cycles = 30;  // [Luo24]
    m.l1_latency_cycles = 43;      // [Luo24]
    m.l2_latency_cycles = 273;     // [Luo24]
    m.dram_latency_cycles = 542;   // [Luo24]
    return m;
}

GpuModel hopper() {  // NVIDIA H100 whitepaper; [Guide] 9.0
    GpuModel m = cuda_device(9, 0);
    m.max_threads_per_sm = 2048;
    m.max_warps_per_sm = 64;
    m.max_blocks_per_sm = 32;
    m.shared_bytes_per_sm = 228 * kKiB;
    m.l1_bytes_per_sm = 256 * kKiB;
    m.fp32_lanes_per_sm = 128;
    m.fp16_lanes_per_sm = 256;
    m.fp64_lanes_per_sm = 64;
    m.int32_lanes_per_sm = 64;
    m.load_store_lanes_per_sm = 32;
    m.shared_latency_cycles = 29;  // [Luo24]
    m.l1_latency_cycles = 41;      // [Luo24]
    m.l2_latency_cycles = 263;     // [Luo24]
    m.dram_latency_cycles = 479;   // [Luo24]
    return m;
}

GpuModel v100() {  // SXM2, 16 GB: V100 whitepaper
    GpuModel m = volta();
    m.name = "V100";
    m.sm_count = 80;
    m.clock_ghz = 1.53;
    m.dram_bytes = 16 * kGiB;
    m.dram_bandwidth_gb_per_s = 900;
    m.l2_bytes = 6 * kMiB;
    m.l2_bandwidth_gb_per_s = 2155;  // measured by [Jia18]
    return m;
}

GpuModel rtx2080ti() {  // reference card: Turing whitepaper
    GpuModel m = turing();
    m.name = "RTX2080Ti";
    m.sm_count = 68;
    m.clock_ghz = 1.545;
    m.dram_bytes = 11 * kGiB;
    m.dram_bandwidth_gb_per_s = 616;
    m.l2_bytes = 5632 * kKiB;
    m.l2_bandwidth_gb_per_s = 1900;  // estimate: the V100's bytes per SM and cycle
    return m;
}

GpuModel a100() {  // SXM4, 40 GB: A100 whitepaper
    GpuModel m = ampere_datacenter();
    m.name = "A100";
    m.sm_count = 108;
    m.clock_ghz = 1.41;
    m.dram_bytes = 40 * kGiB;
    m.dram_bandwidth_gb_per_s = 1555;
    m.l2_bytes = 40 * kMiB;
    // Estimate: the whitepaper's 5120 bytes per cycle (7219 GB/s), at the share of peak (0.69) that
    // [Jia18] measured on the V100.
    m.l2_bandwidth_gb_per_s = 4980;
    return m;
}

GpuModel rtx3090() {  // Founders Edition: GA102 whitepaper
    GpuModel m = ampere_desktop();
    m.name = "RTX3090";
    m.sm_count = 82;
    m.clock_ghz = 1.695;
    m.dram_bytes = 24 * kGiB;
    m.dram_bandwidth_gb_per_s = 936;
    m.l2_bytes = 6 * kMiB;
    m.l2_bandwidth_gb_per_s = 2450;  // estimate: the V100's bytes per SM and cycle
    return m;
}

GpuModel rtx4090() {  // Founders Edition: Ada whitepaper
    GpuModel m = ada();
    m.name = "RTX4090";
    m.sm_count = 128;
    m.clock_ghz = 2.52;
    m.dram_bytes = 24 * kGiB;
    m.dram_bandwidth_gb_per_s = 1008;
    m.l2_bytes = 72 * kMiB;
    m.l2_bandwidth_gb_per_s = 5000;  // estimate: public microbenchmarks, about 5 TB/s
    return m;
}

GpuModel h100() {  // SXM5, 80 GB: H100 whitepaper
    GpuModel m = hopper();
    m.name = "H100";
    m.sm_count = 132;
    m.clock_ghz = 1.98;
    m.dram_bytes = 80 * kGiB;
    m.dram_bandwidth_gb_per_s = 3352;
    m.l2_bytes = 50 * kMiB;
    m.l2_bandwidth_gb_per_s = 6000;  // estimate: public microbenchmarks, 5.5 to 7 TB/s
    return m;
}

GpuModel h200() {  // SXM, 141 GB: H200 datasheet; the chip is the H100's
    GpuModel m = h100();
    m.name = "H200";
    m.dram_bytes = 141 * 1000000000LL;
    m.dram_bandwidth_gb_per_s = 4800;
    return m;
}

// A modest device with a driver of unknown quality. Its limits are what any device of the API has,
// so that a schedule made for it is accepted nearly everywhere. Everything else is an estimate: a
// small integrated GPU with 64 KiB of local memory per compute unit and laptop DRAM.
template <GpuApi kApi>
GpuModel generic_device() {
    const ApiCapabilities &api = capabilities(kApi);
    GpuModel m = with_limits(turing(), api.any_device);
    m.name = std::string(to_string(kApi)) + "-generic";
    m.api = kApi;
    m.warp_size = api.warp_size;
    m.shared_element_bytes = api.shared_element_bytes;
    m.compute_capability_major = 0;
    m.compute_capability_minor = 0;
    m.sm_count = 16;
    m.max_threads_per_sm = 1024;
    m.shared_bytes_per_sm = 64 * kKiB;
    m.l1_bytes_per_sm = 32 * kKiB;
    m.fp16_lanes_per_sm = 64;
    m.fp64_lanes_per_sm = 2;
    m.clock_ghz = 1.2;
    m.dram_bytes = 4 * kGiB;
    m.dram_bandwidth_gb_per_s = 60;
    m.l2_bytes = kMiB;
    m.l2_bandwidth_gb_per_s = 250;
    m.kernel_launch_us = 10;
    return m;
}

constexpr GpuModel (*kPresets[])() = {v100,
                                      rtx2080ti,
                                      a100,
                                      rtx3090,
                                      rtx4090,
                                      h100,
                                      h200,
                                      generic_device<GpuApi::opencl>,
                                      generic_device<GpuApi::metal>,
                                      generic_device<GpuApi::vulkan>,
                                      generic_device<GpuApi::d3d12compute>,
                                      generic_device<GpuApi::webgpu>};

}  // namespace

std::vector<std::string> preset_names() {
    std::vector<std::string> names;
    names.reserve(std::size(kPresets));
    for (const auto preset : kPresets) names.push_back(preset().name);
    return names;
}

Result<GpuModel> find_preset(std::string_view name) {
    const std::string wanted = normalised_device_name(name);
    std::string known;
    for (const auto preset : kPresets) {
        GpuModel model = preset();
        if (normalised_device_name(model.name) == wanted) return model;
        known += (known.empty() ? "" : ", ") + model.name;
    }
    return Error{"unknown GPU '" + std::string(name) + "'; known presets: " + known};
}

GpuModel generic_preset(GpuApi api) {
    return find_preset(std::string(to_string(api)) + "-generic").value();
}

GpuModel preset_for_capability(int64_t capability) {
    if (capability >= 90) return h100();
    if (capability >= 89) return rtx4090();
    if (capability >= 86) return rtx3090();
    if (capability >= 80) return a100();
    if (capability >= 75) return rtx2080ti();
    return v100();
}

}  // namespace autoschedule_gpu
