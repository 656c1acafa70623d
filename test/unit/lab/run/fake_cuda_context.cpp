// Stands in for libcuda where a CudaContext is tested: one device, whose calls are counted. Built
// several times; FAKE_FAILS is 1: no memory, 2: the device is broken, 3: a function is missing.
#include <cstddef>
#include <cstdint>
#include <cstdio>

#if !defined(FAKE_FAILS)
#define FAKE_FAILS 0
#endif

extern "C" {

struct FakeCudaCalls {
    int pushed, popped, allocated, freed, synchronized;
    size_t allocated_bytes, filled_bytes;
};
FakeCudaCalls fake_cuda_calls;

int cuCtxPushCurrent_v2(void *) {
    fake_cuda_calls.pushed++;
    return 0;
}
int cuCtxPopCurrent_v2(void **) {
    fake_cuda_calls.popped++;
    return 0;
}
int cuCtxGetDevice(int *device) {
    *device = 0;
    return 0;
}
int cuDeviceGetName(char *name, int size, int) {
    std::snprintf(name, static_cast<size_t>(size), "Fake device");
    return 0;
}
int cuDriverGetVersion(int *version) {
    *version = 12040;
    return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
    *value = attribute == 38 ? 1000 : 0;
    return 0;
}
int cuMemAlloc_v2(uint64_t *memory, size_t bytes) {
    fake_cuda_calls.allocated++;
    fake_cuda_calls.allocated_bytes = bytes;
    *memory = 4096;
    return FAKE_FAILS == 1 ? 2 : 0;
}
int cuMemFree_v2(uint64_t) {
    fake_cuda_calls.freed++;
    return 0;
}
int cuMemsetD32_v2(uint64_t, unsigned, size_t count) {
    fake_cuda_calls.filled_bytes += 4 * count;
    return 0;
}
#if FAKE_FAILS != 3
int cuCtxSynchronize() {
    fake_cuda_calls.synchronized++;
    return FAKE_FAILS == 2 ? 700 : 0;
}
#endif
}
