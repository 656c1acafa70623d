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

constexpr size_t kMaxThreads = 1024, kMaxThreadsZ = 64;
constexpr size_t kMaxBlocksX = 0x7fffffff, kMaxBlocksYZ = 65535;
constexpr int32_t kInvalidWorkGroupSize = -54;  // CL_INVALID_WORK_GROUP_SIZE
constexpr size_t kMaxSharedBytes = 48 * 1024;

// The OpenCL library calls back through plain C functions, which leaves no place for the state
// but here.
struct Watch {
    EnqueueKernel enqueue = nullptr;
    SetKernelArg set_arg = nullptr;
    Launches launches;

    void report(const std::string &text) {
        if (launches.violation.empty()) launches.violation = text;
    }
};

Watch &watch() {
    static Watch instance;
    return instance;
}

// An empty region makes a grid without blocks, or of a negative size that wraps around.
std::string problem_of_launch(uint32_t dims, const size_t *global, const size_t *local) {
    size_t threads = 1;
    std::string shape;
    for (uint32_t d = 0; d < dims; ++d) {
        threads *= local[d];
        shape += (d ? " x " : "") + std::to_string(local[d]);
        const size_t blocks = local[d] ? global[d] / local[d] : 0;
        const size_t most = d == 0 ? kMaxBlocksX : kMaxBlocksYZ;
        if (blocks < 1 || blocks > most) {
            return std::to_string(static_cast<int64_t>(blocks)) + " blocks in dimension " +
                   std::to_string(d) + " of the grid; the limits are 1 and " + std::to_string(most);
        }
    }
    if (threads > kMaxThreads) return "a block of " + shape + " threads; the limit is 1024";
    if (dims > 2 && local[2] > kMaxThreadsZ) {
        return "a block of " + shape + " threads; the limit in z is 64";
    }
    return {};
}

int32_t watched_enqueue(void *queue, void *kernel, uint32_t dims, const size_t *offset,
                        const size_t *global, const size_t *local, uint32_t waits,
                        const void *wait_list, void *event) {
    ++watch().launches.count;
    const std::string problem = local ? problem_of_launch(dims, global, local) : "";
    if (!problem.empty()) {
        watch().report(problem);
        return kInvalidWorkGroupSize;
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

Launches take_launches() {
    return std::exchange(watch().launches, {});
}

}  // namespace autoschedule_gpu::testing
