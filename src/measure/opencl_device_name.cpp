#include "measure/opencl_device_name.h"

#include <dlfcn.h>

#include <array>
#include <cstdint>

namespace autoschedule_gpu {

namespace {

// Numbers of the OpenCL standard's own header.
constexpr uint32_t kContextDevices = 0x1081;
constexpr uint32_t kDeviceName = 0x102B;

using GetInfo = int32_t (*)(void *object, uint32_t what, size_t size, void *value, size_t *needed);

}  // namespace

std::string opencl_device_name(const FilterLibrary &library) {
    const auto acquire = reinterpret_cast<int (*)(void *, void **, void **, bool)>(
        library.symbol("halide_acquire_cl_context"));
    const auto release =
        reinterpret_cast<int (*)(void *)>(library.symbol("halide_release_cl_context"));
    void *driver = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (acquire == nullptr || release == nullptr || driver == nullptr) return {};
    const auto context_info = reinterpret_cast<GetInfo>(dlsym(driver, "clGetContextInfo"));
    const auto device_info = reinterpret_cast<GetInfo>(dlsym(driver, "clGetDeviceInfo"));
    void *context = nullptr;
    void *queue = nullptr;
    if (context_info == nullptr || device_info == nullptr ||
        acquire(nullptr, &context, &queue, true) != 0) {
        return {};
    }
    // Halide makes a context with one device.
    void *device = nullptr;
    std::array<char, 256> name{};
    const bool known =
        context_info(context, kContextDevices, sizeof device, &device, nullptr) == 0 &&
        device_info(device, kDeviceName, name.size() - 1, name.data(), nullptr) == 0;
    release(nullptr);
    return known ? name.data() : std::string();
}

}  // namespace autoschedule_gpu
