#include "lab/run/cuda_context.h"

#include <dlfcn.h>

#include <array>
#include <utility>

namespace autoschedule_gpu {

namespace {

// A property of a device, and the driver's number for it.
struct Attribute {
#define AUTOSCHEDULE_GPU_DECLARE_NUMBER(attribute, number) static constexpr int attribute = number;
    AUTOSCHEDULE_GPU_DRIVER_ATTRIBUTES(AUTOSCHEDULE_GPU_DECLARE_NUMBER)
#undef AUTOSCHEDULE_GPU_DECLARE_NUMBER
};

constexpr int64_t kL2BytesIfUnknown = int64_t{64} << 20;

// X(member, symbol, parameters)
#define AUTOSCHEDULE_GPU_CUDA_CALLS(X)                          \
    X(push_context, "cuCtxPushCurrent_v2", (void *))            \
    X(pop_context, "cuCtxPopCurrent_v2", (void **))             \
    X(get_device, "cuCtxGetDevice", (int *))                    \
    X(get_name, "cuDeviceGetName", (char *, int, int))          \
    X(get_attribute, "cuDeviceGetAttribute", (int *, int, int)) \
    X(allocate, "cuMemAlloc_v2", (uint64_t *, size_t))          \
    X(free, "cuMemFree_v2", (uint64_t))                         \
    X(fill, "cuMemsetD32_v2", (uint64_t, unsigned, size_t))     \
    X(synchronize, "cuCtxSynchronize", ())                      \
    X(get_version, "cuDriverGetVersion", (int *))

struct Driver {
#define AUTOSCHEDULE_GPU_DECLARE_CALL(member, symbol, parameters) int(*member) parameters = nullptr;
    AUTOSCHEDULE_GPU_CUDA_CALLS(AUTOSCHEDULE_GPU_DECLARE_CALL)
#undef AUTOSCHEDULE_GPU_DECLARE_CALL
};

Result<Driver> open_driver(const std::string &library) {
    // The library stays open, because the pipeline's runtime uses it too.
    void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return Error{std::string("no CUDA driver: ") + dlerror()};
    Driver driver;
#define AUTOSCHEDULE_GPU_LOAD_CALL(member, symbol, parameters)                        \
    driver.member = reinterpret_cast<decltype(driver.member)>(dlsym(handle, symbol)); \
    if (driver.member == nullptr) return Error{"the CUDA driver has no function " symbol};
    AUTOSCHEDULE_GPU_CUDA_CALLS(AUTOSCHEDULE_GPU_LOAD_CALL)
#undef AUTOSCHEDULE_GPU_LOAD_CALL
    return driver;
}

}  // namespace

// Keeps the runtime's context current while it exists.
struct CudaContext::State {
    Driver driver;
    bool pushed = false;
    std::string name;
    uint64_t memory = 0;
    size_t memory_bytes = 0;

    ~State() {
        if (memory != 0) driver.free(memory);
        void *popped = nullptr;
        if (pushed) driver.pop_context(&popped);
    }
};

CudaContext::CudaContext(std::unique_ptr<State> state) : state_(std::move(state)) {}
CudaContext::CudaContext(CudaContext &&other) noexcept = default;
CudaContext::~CudaContext() = default;

Result<CudaContext> CudaContext::open(const CudaRuntime &runtime,
                                      const std::string &driver_library) {
    if (runtime.acquire_context == nullptr || runtime.release_context == nullptr) {
        return Error{"the library has no CUDA runtime of Halide's"};
    }
    const Result<Driver> driver = open_driver(driver_library);
    if (!driver) return driver.error();
    auto state = std::make_unique<State>();
    state->driver = *driver;
    void *context = nullptr;
    const bool acquired = runtime.acquire_context(nullptr, &context, true) == 0;
    // The context is released at once, because the pipeline may wait for it as for a lock. It
    // outlives this process's use of it.
    if (acquired) runtime.release_context(nullptr);
    if (context == nullptr) return Error{"Halide's runtime has no context"};
    state->pushed = driver->push_context(context) == 0;
    int device = 0;
    int l2_bytes = 0;
    std::array<char, 256> name{};
    if (!state->pushed || driver->get_device(&device) != 0 ||
        driver->get_name(name.data(), static_cast<int>(name.size()) - 1, device) != 0) {
        return Error{"the CUDA driver does not tell its device"};
    }
    state->name = name.data();
    if (driver->get_attribute(&l2_bytes, Attribute::l2_bytes, device) != 0 || l2_bytes <= 0)
        l2_bytes = 0;
    state->memory_bytes =
        static_cast<size_t>(2 * (l2_bytes > 0 ? int64_t{l2_bytes} : kL2BytesIfUnknown));
    if (driver->allocate(&state->memory, state->memory_bytes) != 0) {
        state->memory = 0;
        return Error{"no memory on the device to flush its L2 cache with (" +
                     std::to_string(state->memory_bytes) + " bytes)"};
    }
    return CudaContext(std::move(state));
}

const std::string &CudaContext::device_name() const {
    return state_->name;
}

std::string CudaContext::driver_version() const {
    int version = 0;  // 12040 means 12.4
    if (state_->driver.get_version(&version) != 0) return {};
    return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Status CudaContext::flush_l2() {
    const Driver &driver = state_->driver;
    if (driver.fill(state_->memory, 0, state_->memory_bytes / sizeof(uint32_t)) != 0 ||
        driver.synchronize() != 0) {
        return Error{"the CUDA driver could not fill memory between samples"};
    }
    return Ok{};
}

}  // namespace autoschedule_gpu
