// The seven functions of libcuda that src/core/gpu/driver.cpp calls. The test tells it, through
// fake_cuda_set, what device there is and which call fails.
#include <cstddef>
#include <cstring>
#include <map>
#include <string>

namespace {

struct Fake {
    int failing_call = 0;  // 1 init, 2 count, 3 get, 4 name
    int devices = 1;
    std::string name;
    size_t bytes = 0;
    std::map<int, int> attributes;
};

Fake &fake() {
    static Fake instance;
    return instance;
}

constexpr int kInvalidValue = 1;
constexpr int kFailure = 100;

}  // namespace

extern "C" {

void fake_cuda_reset(const char *name, size_t bytes, int devices, int failing_call) {
    fake() = Fake{failing_call, devices, name, bytes, {}};
}
void fake_cuda_set_attribute(int attribute, int value) {
    fake().attributes[attribute] = value;
}

int cuGetErrorName(int code, const char **name) {
    *name = code == kFailure ? "CUDA_ERROR_NO_DEVICE" : nullptr;
    return code == kFailure ? 0 : kInvalidValue;
}
int cuInit(unsigned) {
    return fake().failing_call == 1 ? kFailure : 0;
}
int cuDeviceGetCount(int *count) {
    *count = fake().devices;
    return fake().failing_call == 2 ? kFailure : 0;
}
int cuDeviceGet(int *device, int ordinal) {
    *device = ordinal;
    return fake().failing_call == 3 ? kFailure : 0;
}
int cuDeviceGetName(char *name, int length, int) {
    std::strncpy(name, fake().name.c_str(), static_cast<size_t>(length));
    return fake().failing_call == 4 ? kFailure : 0;
}
int cuDeviceTotalMem_v2(size_t *bytes, int) {
    *bytes = fake().bytes;
    return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
    const auto found = fake().attributes.find(attribute);
    if (found == fake().attributes.end()) return kInvalidValue;
    *value = found->second;
    return 0;
}
}
