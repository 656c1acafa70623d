// Each figure is of the source that stands beside it or at its function. "Estimate" marks one that
// no vendor publishes; the sentence beside it says what it rests on.
//
// [Guide]  NVIDIA, CUDA C++ Programming Guide: "Technical Specifications per Compute Capability"
//          and "Throughput of Native Arithmetic Instructions".
// [Calc]   NVIDIA, CUDA Occupancy Calculator: allocation units and reserved shared memory.
// [Jia18]  Jia et al. 2018, Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking.
// [Jia19]  Jia et al. 2019, Dissecting the NVIDIA Turing T4 GPU via Microbenchmarking.
// [Luo24]  Luo et al. 2024, Benchmarking and Dissecting the Nvidia Hopper GPU Architecture
//          (A100, RTX 4090 and H100 side by side).
#include "core/gpu/architectures.h"

#include <string>

#include "core/gpu/api_capabilities.h"
#include "core/gpu/binary_units.h"

namespace autoschedule_gpu {

namespace {

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

}  // namespace

// A modest device with a driver of unknown quality. Its limits are what any device of the API has,
// so that a schedule made for it is accepted nearly everywhere. Everything else is an estimate: a
// small integrated GPU with 64 KiB of local memory per compute unit, an L1 of its own beside it,
// and laptop DRAM.
GpuModel generic_device(GpuApi of) {
    const ApiCapabilities &api = capabilities(of);
    GpuModel m = with_limits(turing(), api.any_device);
    m.name = std::string(to_string(of)) + "-generic";
    m.api = of;
    m.warp_size = api.warp_size;
    m.shared_element_bytes = api.shared_element_bytes;
    m.compute_capability_major = 0;
    m.compute_capability_minor = 0;
    m.sm_count = 16;
    m.max_threads_per_sm = 1024;
    m.shared_bytes_per_sm = 64 * kKiB;
    m.l1_bytes_per_sm = 32 * kKiB;
    m.max_registers_per_thread = 64;  // estimate: as many as Arm's Mali has, the least in use
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
    // Measured on an H200 (apps/measured): a chain of loads; how much longer a step of a scan takes
    // in DRAM than in L2; empty kernels back to back.
    m.l2_latency_cycles = 280;
    m.dram_latency_cycles = 280 + 372;
    m.kernel_launch_us = 3.5;
    return m;
}

GpuModel blackwell_desktop() {  // NVIDIA RTX Blackwell GPU Architecture whitepaper; [Guide] 12.0
    GpuModel m = ada();
    m.compute_capability_major = 12;
    m.compute_capability_minor = 0;
    m.int32_lanes_per_sm = 128;  // every lane computes both
    // Latencies and the rest of the SM: estimates, as Ada's.
    return m;
}

GpuModel orin() {  // NVIDIA Jetson AGX Orin Series technical brief; [Guide] 8.7
    GpuModel m = cuda_device(8, 7);
    m.max_threads_per_sm = 1536;
    m.max_warps_per_sm = 48;
    m.max_blocks_per_sm = 16;
    m.shared_bytes_per_sm = 164 * kKiB;
    m.l1_bytes_per_sm = 192 * kKiB;
    m.fp32_lanes_per_sm = 128;
    m.fp16_lanes_per_sm = 256;
    m.fp64_lanes_per_sm = 2;
    m.int32_lanes_per_sm = 64;
    m.load_store_lanes_per_sm = 16;
    m.shared_latency_cycles = 29;  // estimate: as the A100
    m.l1_latency_cycles = 38;      // estimate: as the A100
    m.l2_latency_cycles = 240;     // estimate: as the desktop's Ampere
    m.dram_latency_cycles = 600;   // estimate: LPDDR5 answers later than GDDR6
    m.kernel_launch_us = 6;        // estimate: twice a server's, for its slower cores
    return m;
}

// Estimates of what no vendor publishes stay those of the API's generic device: latencies, the
// banks of shared memory, launches.
GpuModel cdna2() {  // AMD CDNA 2 whitepaper; AMD Instinct MI200 instruction set architecture
    GpuModel m = generic_device(GpuApi::opencl);
    m.warp_size = 64;
    m.max_threads_per_sm = 2048;  // 8 waves on each of 4 SIMDs
    m.max_warps_per_sm = 32;
    m.max_blocks_per_sm = 32;
    m.registers_per_sm = 131072;  // 128 KiB of vector registers for each SIMD
    m.register_unit_per_warp = 8 * 64;
    m.shared_bytes_per_sm = 64 * kKiB;
    m.shared_bytes_per_block = 64 * kKiB;
    m.l1_bytes_per_sm = 16 * kKiB;  // beside local memory, not with it
    m.cache_line_bytes = 128;       // L2's
    m.l1_sector_bytes = 64;         // L1's line
    m.warp_schedulers_per_sm = 4;
    m.fp32_lanes_per_sm = 64;
    m.fp16_lanes_per_sm = 128;
    m.fp64_lanes_per_sm = 64;
    m.int32_lanes_per_sm = 64;
    m.load_store_lanes_per_sm = 16;
    return m;
}

GpuModel rdna3() {  // AMD RDNA 3 instruction set architecture; AMD, RDNA 3 architecture slides
    GpuModel m = generic_device(GpuApi::opencl);
    m.warp_size = 32;
    m.max_threads_per_sm = 1024;  // 16 waves of 32 on each of 2 SIMDs
    m.max_warps_per_sm = 32;
    m.max_blocks_per_sm = 32;
    m.registers_per_sm = 98304;  // 192 KiB of vector registers for each SIMD
    m.warp_allocation_unit = 2;  // a wave for each
    m.register_unit_per_warp = 24 * 32;
    m.shared_bytes_per_sm = 64 * kKiB;  // half of what two compute units share
    m.shared_bytes_per_block = 64 * kKiB;
    m.l1_bytes_per_sm = 32 * kKiB;  // L0, beside local memory
    m.cache_line_bytes = 128;
    m.warp_schedulers_per_sm = 2;
    // A second issue needs pairs of instructions that compilers seldom find: not counted.
    m.fp32_lanes_per_sm = 64;
    m.fp16_lanes_per_sm = 128;
    m.fp64_lanes_per_sm = 2;
    m.int32_lanes_per_sm = 64;
    return m;
}

GpuModel apple() {  // Apple, Metal Feature Set Tables, families Apple7 and Apple8
    GpuModel m = generic_device(GpuApi::metal);
    m.warp_size = 32;
    m.max_threads_per_block = 1024;
    m.max_threads_x = 1024;
    m.max_threads_y = 1024;
    m.max_threads_z = 1024;
    m.max_threads_per_sm = 3072;  // Apple of the M1: 24,576 at once in 8 cores
    m.max_warps_per_sm = 96;
    // As many as its residents keep of 64 each: an estimate.
    m.registers_per_sm = 196608;
    // Local memory of a core and the L1 beside it: Apple publishes the limit of a block alone.
    // These are what Philip Turner's Metal Benchmarks (github.com/philipturner/metal-benchmarks)
    // found of family Apple7.
    m.shared_bytes_per_sm = 64 * kKiB;
    m.l1_bytes_per_sm = 8 * kKiB;
    m.fp32_lanes_per_sm = 128;   // 2.6 TFLOPS of the M1, at 1.278 GHz
    m.fp16_lanes_per_sm = 128;   // estimate: the same
    m.fp64_lanes_per_sm = 1;     // there is none
    m.int32_lanes_per_sm = 128;  // estimate: as floats
    return m;
}

}  // namespace autoschedule_gpu
