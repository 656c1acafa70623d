#include "lab/run/cuda_context.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

struct FakeCudaCalls {
    int pushed, popped, allocated, freed, synchronized;
    size_t allocated_bytes, filled_bytes;
};

int acquired = 0;
int give_context(void *, void **context, bool create) {
    EXPECT_TRUE(create);
    acquired++;
    *context = &acquired;
    return 0;
}
int give_none(void *, void **, bool) {
    return -1;
}
int release_context(void *) {
    acquired--;
    return 0;
}
constexpr CudaRuntime kRuntime = {give_context, release_context};

FakeCudaCalls &calls(const char *library) {
    void *handle = dlopen(library, RTLD_NOW);
    return *static_cast<FakeCudaCalls *>(dlsym(handle, "fake_cuda_calls"));
}

TEST(CudaContext, OverwritesTwiceTheL2CacheAndWaits) {
    FakeCudaCalls &made = calls(FAKE_CUDA_CONTEXT);
    {
        Result<CudaContext> context = CudaContext::open(kRuntime, FAKE_CUDA_CONTEXT);
        ASSERT_TRUE(context.ok()) << context.error().message;
        EXPECT_EQ(acquired, 0);  // the pipeline can have it again
        EXPECT_EQ(context->device_name(), "Fake device");
        EXPECT_EQ(context->driver_version(), "CUDA 12.4");
        CudaContext moved = std::move(context).value();
        EXPECT_TRUE(moved.flush_l2().ok());
        EXPECT_TRUE(moved.flush_l2().ok());
    }
    EXPECT_EQ(made.allocated_bytes, 2000u);
    EXPECT_EQ(made.filled_bytes, 4000u);
    EXPECT_EQ(made.synchronized, 2);
    EXPECT_EQ(made.freed, 1);
    EXPECT_EQ(made.pushed, 1);
    EXPECT_EQ(made.popped, 1);
}

TEST(CudaContext, IsAnErrorWhereSomethingIsMissing) {
    EXPECT_EQ(CudaContext::open({}, FAKE_CUDA_CONTEXT).error().message,
              "the library has no CUDA runtime of Halide's");
    EXPECT_EQ(CudaContext::open({give_none, release_context}, FAKE_CUDA_CONTEXT).error().message,
              "Halide's runtime has no context");
    EXPECT_TRUE(CudaContext::open(kRuntime, "/no/such/libcuda.so")
                    .error()
                    .message.starts_with("no CUDA driver: "));
    EXPECT_EQ(CudaContext::open(kRuntime, FAKE_CUDA_WITHOUT_A_FUNCTION).error().message,
              "the CUDA driver has no function cuCtxSynchronize");
}

TEST(CudaContext, IsAnErrorWithoutMemoryAndGivesTheContextBack) {
    EXPECT_EQ(CudaContext::open(kRuntime, FAKE_CUDA_WITHOUT_MEMORY).error().message,
              "no memory on the device to flush its L2 cache with (2000 bytes)");
    const FakeCudaCalls &made = calls(FAKE_CUDA_WITHOUT_MEMORY);
    EXPECT_EQ(made.pushed, made.popped);
    EXPECT_EQ(made.freed, 0);
}

TEST(CudaContext, TellsWhenTheDeviceIsBroken) {
    CudaContext context = CudaContext::open(kRuntime, FAKE_CUDA_BROKEN).value();
    EXPECT_EQ(context.flush_l2().error().message,
              "the CUDA driver could not fill memory between samples");
}

}  // namespace
}  // namespace autoschedule_gpu
