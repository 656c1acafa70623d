#include "core/gpu/driver.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "core/gpu/presets.h"

namespace autoschedule_gpu {

namespace {

// The driver API's own types: a CUresult and a CUdevice are ints.
struct DriverApi {
    int (*init)(unsigned flags) = nullptr;
    int (*device_get_count)(int *count) = nullptr;
    int (*device_get)(int *device, int ordinal) = nullptr;
    int (*device_get_name)(char *name, int length, int device) = nullptr;
    int (*device_total_mem)(size_t *bytes, int device) = nullptr;
    int (*device_get_attribute)(int *value, int attribute, int device) = nullptr;
    int (*get_error_name)(int code, const char **name) = nullptr;  // older drivers have none
};

struct CloseLibrary {
    void operator()(void *handle) const { dlclose(handle); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

template <typename Function>
bool load(const Library &library, const char *name, Function &function) {
    function = reinterpret_cast<Function>(dlsym(library.get(), name));
    return function != nullptr;
}

Result<DriverApi> load_api(const Library &library, const std::string &library_name) {
    DriverApi api;
    if (load(library, "cuInit", api.init) &&
        load(library, "cuDeviceGetCount", api.device_get_count) &&
        load(library, "cuDeviceGet", api.device_get) &&
        load(library, "cuDeviceGetName", api.device_get_name) &&
        load(library, "cuDeviceTotalMem_v2", api.device_total_mem) &&
        load(library, "cuDeviceGetAttribute", api.device_get_attribute)) {
        load(library, "cuGetErrorName", api.get_error_name);
        return api;
    }
    return Error{library_name + " is not a CUDA driver: it lacks functions of the driver API"};
}

Error failed(const DriverApi &api, const char *function, int code) {
    const char *name = nullptr;
    const bool is_named = api.get_error_name && api.get_error_name(code, &name) == 0 && name;
    return Error{"the CUDA driver's " + std::string(function) + " failed with code " +
                 std::to_string(code) + (is_named ? " (" + std::string(name) + ")" : "")};
}

Result<DriverDevice> ask(const DriverApi &api) {
    if (const int code = api.init(0); code != 0) return failed(api, "cuInit", code);
    int count = 0;
    if (const int code = api.device_get_count(&count); code != 0) {
        return failed(api, "cuDeviceGetCount", code);
    }
    if (count < 1) return Error{"the CUDA driver has no device"};
    int handle = 0;
    if (const int code = api.device_get(&handle, 0); code != 0)
        return failed(api, "cuDeviceGet", code);

    DriverDevice device;
    std::array<char, 256> name{};
    if (const int code = api.device_get_name(name.data(), name.size() - 1, handle); code != 0) {
        return failed(api, "cuDeviceGetName", code);
    }
    device.name = name.data();
    size_t bytes = 0;
    if (api.device_total_mem(&bytes, handle) == 0) {
        device.memory_bytes = static_cast<int64_t>(bytes);
    }
    int value = 0;
#define AUTOSCHEDULE_GPU_ASK_ATTRIBUTE(attribute, number) \
    if (api.device_get_attribute(&value, number, handle) == 0) device.attribute = value;
    AUTOSCHEDULE_GPU_DRIVER_ATTRIBUTES(AUTOSCHEDULE_GPU_ASK_ATTRIBUTE)
#undef AUTOSCHEDULE_GPU_ASK_ATTRIBUTE
    return device;
}

// The preset whose name the device's contains in whole words, such as A100 in
// "NVIDIA A100-SXM4-40GB"; of several the longest. The capability must agree: names are reused.
struct Base {
    GpuModel model;
    bool named = false;
};

Base base_of(const DriverDevice &device) {
    Base base{preset_for_capability(10 * device.compute_capability_major +
                                    device.compute_capability_minor),
              false};
    for (GpuPreset &preset : gpu_presets()) {
        GpuModel &model = preset.model;
        if (model.api == GpuApi::cuda &&
            model.compute_capability_major == device.compute_capability_major &&
            model.compute_capability_minor == device.compute_capability_minor &&
            may_name_same_device(device.name, model.name) &&
            (!base.named || model.name.size() > base.model.name.size())) {
            base = {std::move(model), true};
        }
    }
    return base;
}

}  // namespace

Result<GpuModel> model_of_device(const DriverDevice &device) {
    const Base base = base_of(device);
    GpuModel model = base.model;
    if (!device.name.empty()) model.name = device.name;
    model.compute_capability_major = device.compute_capability_major;
    model.compute_capability_minor = device.compute_capability_minor;
    const auto take = [](int64_t answer, int64_t &field) {
        if (answer != 0) field = answer;
    };
    take(device.sm_count, model.sm_count);
    take(device.warp_size, model.warp_size);
    take(device.max_threads_per_block, model.max_threads_per_block);
    take(device.max_threads_x, model.max_threads_x);
    take(device.max_threads_y, model.max_threads_y);
    take(device.max_threads_z, model.max_threads_z);
    take(device.max_blocks_x, model.max_blocks_x);
    take(device.max_blocks_y, model.max_blocks_y);
    take(device.max_blocks_z, model.max_blocks_z);
    take(device.max_threads_per_sm, model.max_threads_per_sm);
    take(device.max_blocks_per_sm, model.max_blocks_per_sm);
    take(device.registers_per_sm, model.registers_per_sm);
    take(device.shared_bytes_per_sm, model.shared_bytes_per_sm);
    take(device.shared_reserved_bytes_per_block, model.shared_reserved_bytes_per_block);
    take(device.memory_bytes, model.dram_bytes);
    take(device.l2_bytes, model.l2_bytes);
    model.max_warps_per_sm = model.max_threads_per_sm / std::max<int64_t>(model.warp_size, 1);
    if (device.clock_khz != 0) model.clock_ghz = static_cast<double>(device.clock_khz) * 1e-6;
    if (device.memory_clock_khz != 0 && device.memory_bus_bits != 0) {
        model.dram_bandwidth_gb_per_s = 2e-6 * static_cast<double>(device.memory_clock_khz) *
                                        static_cast<double>(device.memory_bus_bits) / 8;
    }
    if (!base.named) {
        model.l2_bandwidth_gb_per_s *=
            static_cast<double>(model.sm_count) * model.clock_ghz /
            (static_cast<double>(base.model.sm_count) * base.model.clock_ghz);
    }
    if (const Status status = check(model); !status) {
        return Error{"the CUDA driver's answers make no device: " + status.error().message};
    }
    return model;
}

ValueOr<GpuModel, DriverError> read_from_driver(const std::string &library_name) {
    // Never unmapped: the driver keeps threads and other users of it may follow.
    const Library library(dlopen(library_name.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE));
    if (!library) {
        const char *reason = dlerror();
        return DriverError{DriverLack::absent,
                           "no CUDA driver: " + std::string(reason ? reason : library_name)};
    }
    const auto faulty = [](const Error &error) {
        return DriverError{DriverLack::faulty, error.message};
    };
    const Result<DriverApi> api = load_api(library, library_name);
    if (!api) return faulty(api.error());
    const Result<DriverDevice> device = ask(*api);
    if (!device) return faulty(device.error());
    Result<GpuModel> model = model_of_device(*device);
    if (!model) return faulty(model.error());
    return std::move(model).value();
}

}  // namespace autoschedule_gpu
