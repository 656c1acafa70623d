// A GPU as data: what it can hold and how fast it goes. It is all that rules and cost models know
// of a device, whether its numbers come from a preset, from a driver or from a file.
//
// AUTOSCHEDULE_GPU_MODEL_FIELDS is the one list of fields: the struct, the JSON form that
// `autoscheduler.gpu=FILE.json` reads, its checks and its documentation are made from it.
//
// "SM" is the field's word for what OpenCL calls a compute unit, "block" for a work-group, "shared"
// for local memory, "warp" for a sub-group, whatever the API.
//
// Value type. Needs C++17 and the standard library.
#pragma once

#include <cstdint>
#include <string>

namespace autoschedule_gpu::api {

// The programming interface through which Halide drives the device.
enum class GpuApi : uint8_t { cuda, opencl, metal, vulkan, d3d12compute, webgpu };

// clang-format off
// X(type, name, unit, least, greatest, meaning); text and api fields have no bounds.
#define AUTOSCHEDULE_GPU_MODEL_FIELDS(X)                                                           \
    X(std::string, name, "", 0, 0, "what people call the device")                                  \
    X(GpuApi, api, "", 0, 0, "the API that drives it")                                             \
    X(int64_t, compute_capability_major, "", 0, 99, "CUDA's architecture number; 0 elsewhere")     \
    X(int64_t, compute_capability_minor, "", 0, 9, "its digit after the point")                    \
    X(int64_t, sm_count, "SMs", 1, 4096, "multiprocessors")                                        \
    X(int64_t, warp_size, "threads", 1, 128, "threads that execute in lock step")                  \
    X(int64_t, max_threads_per_block, "threads", 1, 4096, "limit of one launch")                   \
    X(int64_t, max_threads_x, "threads", 1, 4096, "limit of the block's first dimension")          \
    X(int64_t, max_threads_y, "threads", 1, 4096, "limit of its second dimension")                 \
    X(int64_t, max_threads_z, "threads", 1, 4096, "limit of its third dimension")                  \
    X(int64_t, runtime_threads, "", 0, 1, "1: a block's threads may be known at run time only")    \
    X(int64_t, max_blocks_x, "blocks", 1, 4294967295, "limit of the grid's first dimension")       \
    X(int64_t, max_blocks_y, "blocks", 1, 4294967295, "limit of its second dimension")             \
    X(int64_t, max_blocks_z, "blocks", 1, 4294967295, "limit of its third dimension")              \
    X(int64_t, max_threads_per_sm, "threads", 1, 8192, "resident at once")                         \
    X(int64_t, max_warps_per_sm, "warps", 1, 256, "resident at once")                              \
    X(int64_t, max_blocks_per_sm, "blocks", 1, 256, "resident at once")                            \
    X(int64_t, registers_per_sm, "32-bit registers", 1024, 4194304, "register file")               \
    X(int64_t, max_registers_per_thread, "32-bit registers", 1, 1024,                              \
      "what the compiler may use before it spills: Halide asks CUDA's JIT for at most 64")         \
    X(int64_t, register_unit_per_warp, "32-bit registers", 1, 65536,                               \
      "a warp's registers are allocated in multiples of this")                                     \
    X(int64_t, warp_allocation_unit, "warps", 1, 64,                                               \
      "the warps that the register file can hold count in multiples of this")                      \
    X(int64_t, shared_bytes_per_sm, "bytes", 0, 16777216, "shared memory of all resident blocks")  \
    X(int64_t, shared_bytes_per_block, "bytes", 0, 16777216,                                       \
      "limit of one block: 48 KiB on CUDA, because Halide's runtime never asks for more")          \
    X(int64_t, shared_reserved_bytes_per_block, "bytes", 0, 65536, "taken by the system")          \
    X(int64_t, shared_unit_bytes, "bytes", 1, 65536, "allocated in multiples of this")             \
    X(int64_t, shared_element_bytes, "bytes", 1, 16, "least that an element takes there")          \
    X(int64_t, warp_schedulers_per_sm, "schedulers", 1, 64, "each issues one instruction a cycle") \
    X(int64_t, fp32_lanes_per_sm, "results/cycle", 1, 4096, "float add, multiply, fused")          \
    X(int64_t, fp16_lanes_per_sm, "results/cycle", 1, 8192, "half arithmetic, in pairs")           \
    X(int64_t, fp64_lanes_per_sm, "results/cycle", 1, 4096, "double arithmetic")                   \
    X(int64_t, int32_lanes_per_sm, "results/cycle", 1, 4096, "integer arithmetic, compare, select")\
    X(int64_t, special_lanes_per_sm, "results/cycle", 1, 4096, "rsqrt, exp2, log2, sin, convert")  \
    X(int64_t, load_store_lanes_per_sm, "addresses/cycle", 1, 4096, "load and store units")        \
    X(double, clock_ghz, "GHz", 0.01, 20, "sustained boost clock of the SMs")                      \
    X(int64_t, dram_bytes, "bytes", 1048576, 17592186044416, "device memory")                      \
    X(double, dram_bandwidth_gb_per_s, "GB/s", 0.1, 100000, "peak, 10^9 bytes")                    \
    X(int64_t, l2_bytes, "bytes", 0, 17179869184, "cache shared by all SMs")                       \
    X(double, l2_bandwidth_gb_per_s, "GB/s", 0.1, 1000000, "reads that hit, whole device")         \
    X(int64_t, l1_bytes_per_sm, "bytes", 0, 16777216, "cache and shared memory together; if less than shared memory, the cache, which is then apart") \
    X(int64_t, l1_sector_bytes, "bytes", 4, 1024, "least unit moved between L1, L2 and DRAM")      \
    X(int64_t, cache_line_bytes, "bytes", 4, 4096, "what one tag covers")                          \
    X(int64_t, shared_banks, "banks", 1, 128, "served at once by shared memory")                   \
    X(int64_t, shared_bank_bytes, "bytes", 1, 64, "width of a bank")                               \
    X(double, arithmetic_latency_cycles, "cycles", 0, 10000, "until a dependent float add issues") \
    X(double, shared_latency_cycles, "cycles", 0, 10000, "load from shared memory")                \
    X(double, l1_latency_cycles, "cycles", 0, 10000, "load that hits L1")                          \
    X(double, l2_latency_cycles, "cycles", 0, 10000, "load that hits L2")                          \
    X(double, dram_latency_cycles, "cycles", 0, 100000, "load that misses every cache")            \
    X(double, kernel_launch_us, "us", 0, 100000, "from one kernel's end to the next one's start")
// clang-format on

struct GpuModel {
#define AUTOSCHEDULE_GPU_DECLARE_FIELD(type, field, unit, least, greatest, meaning) type field{};
    AUTOSCHEDULE_GPU_MODEL_FIELDS(AUTOSCHEDULE_GPU_DECLARE_FIELD)
#undef AUTOSCHEDULE_GPU_DECLARE_FIELD

    friend bool operator==(const GpuModel &a, const GpuModel &b) {
#define AUTOSCHEDULE_GPU_EQUAL_FIELD(type, field, unit, least, greatest, meaning) \
    &&a.field == b.field
        return true AUTOSCHEDULE_GPU_MODEL_FIELDS(AUTOSCHEDULE_GPU_EQUAL_FIELD);
#undef AUTOSCHEDULE_GPU_EQUAL_FIELD
    }
};

}  // namespace autoschedule_gpu::api
