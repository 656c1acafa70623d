#include "pipelines/launch_limits.h"

#include <Halide.h>
#include <dlfcn.h>

#include <cstring>

namespace autoschedule_gpu::testing {

namespace {

using EnqueueKernel = int32_t (*)(void *queue, void *kernel, uint32_t dims, const size_t *offset,
                                  const size_t *global, const size_t *local, uint32_t waits,
                                  const void *wait_list, void *event);
using SetKernelArg = int32_t (*)(void *kernel, uint32_t index, size_t size, const void *value);

constexpr size_t kMaxThreads = 1024, kMaxThreadsZ = 64, kMaxGridYZ = 65535;
constexpr size_t kMaxSharedBytes = 48 * 1024;

// The OpenCL library calls back through plain C functions, which leaves no place for the state
// but here.
struct Watch {
    EnqueueKernel enqueue = nullptr;
    SetKernelArg set_arg = nullptr;
    std::string violation;

    void report(const std::string &text) {
        if (violation.empty()) violation = text;
    }
};

Watch &watch() {
    static Watch instance;
    return instance;
}

int32_t watched_enqueue(void *queue, void *kernel, uint32_t dims, const size_t *offset,
                        const size_t *global, const size_t *local, uint32_t waits,
                        const void *wait_list, void *event) {
    size_t threads = 1;
    std::string shape;
    for (uint32_t d = 0; local && d < dims; ++d) {
        threads *= local[d];
        shape += (d ? " x " : "") + std::to_string(local[d]);
        const size_t blocks = local[d] ? global[d] / local[d] : 0;
        if (d > 0 && blocks > kMaxGridYZ) {
            watch().report(std::to_string(blocks) + " blocks in dimension " + std::to_string(d) +
                           " of the grid; the limit is 65535");
        }
    }
    if (threads > kMaxThreads) {
        watch().report("a block of " + shape + " threads; the limit is 1024");
    }
    if (local && dims > 2 && local[2] > kMaxThreadsZ) {
        watch().report("a block of " + shape + " threads; the limit in z is 64");
    }
    return watch().enqueue(queue, kernel, dims, offset, global, local, waits, wait_list, event);
}

// Local memory is an argument without a value: its size is what the kernel asks for.
int32_t watched_set_arg(void *kernel, uint32_t index, size_t size, const void *value) {
    if (!value && size > kMaxSharedBytes) {
        watch().report(std::to_string(size) + " bytes of shared memory; the limit is 49152");
    }
    return watch().set_arg(kernel, index, size, value);
}

void *watched_symbol(void *library, const char *symbol) {
    void *address = dlsym(library, symbol);
    if (address && std::strcmp(symbol, "clEnqueueNDRangeKernel") == 0) {
        watch().enqueue = reinterpret_cast<EnqueueKernel>(address);
        return reinterpret_cast<void *>(&watched_enqueue);
    }
    if (address && std::strcmp(symbol, "clSetKernelArg") == 0) {
        watch().set_arg = reinterpret_cast<SetKernelArg>(address);
        return reinterpret_cast<void *>(&watched_set_arg);
    }
    return address;
}

}  // namespace

void watch_opencl_launches() {
    Halide::JITHandlers handlers;
    handlers.custom_get_library_symbol = watched_symbol;
    Halide::Internal::JITSharedRuntime::set_default_handlers(handlers);
}

std::string take_launch_violation() { return std::exchange(watch().violation, {}); }

}  // namespace autoschedule_gpu::testing
