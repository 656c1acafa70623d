// The device of this machine, asked through NVIDIA's driver (libcuda), which is opened at run time:
// nothing of CUDA is needed to build, and a machine without a driver gives an error, no more.
#pragma once

#include <cstdint>
#include <string>

#include "core/gpu/gpu_model.h"
#include "core/support/error.h"

namespace autoschedule_gpu {

inline constexpr const char *kCudaDriverLibrary = "libcuda.so.1";

// X(name, number of the CUdevice_attribute): part of the driver's stable binary interface.
#define AUTOSCHEDULE_GPU_DRIVER_ATTRIBUTES(X) \
    X(max_threads_per_block, 1)               \
    X(max_threads_x, 2)                       \
    X(max_threads_y, 3)                       \
    X(max_threads_z, 4)                       \
    X(max_blocks_x, 5)                        \
    X(max_blocks_y, 6)                        \
    X(max_blocks_z, 7)                        \
    X(warp_size, 10)                          \
    X(clock_khz, 13)                          \
    X(sm_count, 16)                           \
    X(memory_clock_khz, 36)                   \
    X(memory_bus_bits, 37)                    \
    X(l2_bytes, 38)                           \
    X(max_threads_per_sm, 39)                 \
    X(compute_capability_major, 75)           \
    X(compute_capability_minor, 76)           \
    X(shared_bytes_per_sm, 81)                \
    X(registers_per_sm, 82)                   \
    X(max_blocks_per_sm, 106)                 \
    X(shared_reserved_bytes_per_block, 111)

// What the driver said; 0 where it said nothing, as older drivers do of newer attributes.
struct DriverDevice {
    std::string name;
    int64_t memory_bytes = 0;
#define AUTOSCHEDULE_GPU_DECLARE_ATTRIBUTE(attribute, number) int64_t attribute = 0;
    AUTOSCHEDULE_GPU_DRIVER_ATTRIBUTES(AUTOSCHEDULE_GPU_DECLARE_ATTRIBUTE)
#undef AUTOSCHEDULE_GPU_DECLARE_ATTRIBUTE
};

// The model of such a device. What the driver does not tell (lanes, latencies, cache bandwidth)
// comes from the preset that the device's name contains, or else from preset_for_capability with
// the bandwidth of L2 scaled by SMs and clock. DRAM bandwidth is two transfers per memory clock
// across the bus. An error if the answers contradict each other (check in gpu_model.h).
Result<GpuModel> model_of_device(const DriverDevice &device);

// What keeps a driver from naming a device.
enum class DriverLack : uint8_t {
    absent,  // there is no such library
    faulty,  // it lacks a function, a call of it failed, or its answers make no model
};

struct DriverError {
    DriverLack lack = DriverLack::absent;
    std::string message;
};

inline const std::string &message_of(const DriverError &error) {
    return error.message;
}

// The first device of the driver.
ValueOr<GpuModel, DriverError> read_from_driver(const std::string &library = kCudaDriverLibrary);

}  // namespace autoschedule_gpu
