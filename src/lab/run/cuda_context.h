// The CUDA context in which a loaded pipeline runs, reached through the pipeline's own runtime and
// NVIDIA's driver, which is opened at run time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/gpu/driver.h"
#include "core/support/error.h"

namespace autoschedule_gpu {

// Halide's runtime functions of these names, from the pipeline's library.
struct CudaRuntime {
    int (*acquire_context)(void *user_context, void **context, bool create) = nullptr;
    int (*release_context)(void *user_context) = nullptr;
};

// One thread may use it at a time, as Halide's runtime, to which the context belongs.
class CudaContext {
public:
    // Returns an error if there is no driver, no context, or a driver that lacks a needed function.
    static Result<CudaContext> open(const CudaRuntime &runtime,
                                    const std::string &driver_library = kCudaDriverLibrary);

    ~CudaContext();
    CudaContext(CudaContext &&other) noexcept;
    CudaContext(const CudaContext &) = delete;
    CudaContext &operator=(const CudaContext &) = delete;

    const std::string &device_name() const;
    std::string driver_version() const;  // "CUDA 12.4": the newest version that the driver supports

    // Writes to twice as much memory as L2 holds and waits, so that none of the pipeline's data is
    // left in the cache. The cache then holds lines of this memory, which are written back as the
    // pipeline replaces them.
    Status flush_l2();

private:
    struct State;
    explicit CudaContext(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace autoschedule_gpu
