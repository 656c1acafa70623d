// The CUDA context in which a loaded pipeline runs, reached through the pipeline's own runtime and
// NVIDIA's driver, which is opened at run time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/gpu/driver.h"
#include "core/support/error.h"

namespace autoschedule_gpu {

// Halide's runtime functions of these names in the pipeline's library.
struct CudaRuntime {
    int (*acquire_context)(void *user_context, void **context, bool create) = nullptr;
    int (*release_context)(void *user_context) = nullptr;
};

// One thread at a time, as is Halide's runtime by whose context it lives.
class CudaContext {
public:
    // An error if there is no driver, or one without what is needed, or no context.
    static Result<CudaContext> open(const CudaRuntime &runtime,
                                    const std::string &driver_library = kCudaDriverLibrary);

    ~CudaContext();
    CudaContext(CudaContext &&other) noexcept;
    CudaContext(const CudaContext &) = delete;
    CudaContext &operator=(const CudaContext &) = delete;

    const std::string &device_name() const;
    std::string driver_version() const;  // "CUDA 12.4": the newest that the driver knows

    // Writes to twice as much memory as L2 holds and waits, so that nothing of the pipeline is left
    // in the cache. Lines of its own are, and are written back as the pipeline needs their place.
    Status flush_l2();

private:
    struct State;
    explicit CudaContext(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace autoschedule_gpu
