#include "lab/run/opencl_device.h"

#include <dlfcn.h>

#include <array>
#include <cstdint>

namespace autoschedule_gpu {

namespace {

// These numbers are from the OpenCL standard's header.
constexpr uint32_t kContextDevices = 0x1081;
constexpr uint32_t kDeviceName = 0x102B;
constexpr uint32_t kDriverVersion = 0x102D;

using GetInfo = int32_t (*)(void *object, uint32_t what, size_t size, void *value, size_t *needed);

}  // namespace

OpenClDevice opencl_device(const FilterLibrary &library) {
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
    // Halide makes a context with one device, so one pointer is enough.
    void *device = nullptr;
    const bool known = context_info(context, kContextDevices, sizeof device, &device, nullptr) == 0;
    const auto text = [&](uint32_t what) {
        std::array<char, 256> answer{};
        const bool told =
            known && device_info(device, what, answer.size() - 1, answer.data(), nullptr) == 0;
        return told ? std::string(answer.data()) : std::string();
    };
    OpenClDevice answer{.name = text(kDeviceName), .driver_version = text(kDriverVersion)};
    release(nullptr);
    return answer;
}

}  // namespace autoschedule_gpu
