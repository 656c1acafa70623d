#include "core/gpu/driver.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

// The attributes that an A100-SXM4-80GB reports.
DriverDevice a100_80gb() {
    DriverDevice d;
    d.name = "NVIDIA A100-SXM4-80GB";
    d.memory_bytes = 85094825984;
    d.max_threads_per_block = 1024;
    d.max_threads_x = 1024;
    d.max_threads_y = 1024;
    d.max_threads_z = 64;
    d.max_blocks_x = 2147483647;
    d.max_blocks_y = 65535;
    d.max_blocks_z = 65535;
    d.warp_size = 32;
    d.clock_khz = 1410000;
    d.sm_count = 108;
    d.memory_clock_khz = 1593000;
    d.memory_bus_bits = 5120;
    d.l2_bytes = 41943040;
    d.max_threads_per_sm = 2048;
    d.compute_capability_major = 8;
    d.compute_capability_minor = 0;
    d.shared_bytes_per_sm = 167936;
    d.registers_per_sm = 65536;
    d.max_blocks_per_sm = 32;
    d.shared_reserved_bytes_per_block = 1024;
    return d;
}

TEST(ModelOfDevice, StartsFromThePresetThatTheNameContains) {
    const GpuModel model = model_of_device(a100_80gb()).value();
    GpuModel expected = find_preset("A100").value();
    expected.name = "NVIDIA A100-SXM4-80GB";
    expected.dram_bytes = 85094825984;
    expected.dram_bandwidth_gb_per_s = model.dram_bandwidth_gb_per_s;
    EXPECT_EQ(model, expected);
    EXPECT_NEAR(model.dram_bandwidth_gb_per_s, 2039, 1);  // the data sheet's figure
}

TEST(ModelOfDevice, OfSeveralNamesTakesTheLongestInWholeWords) {
    DriverDevice device;
    device.name = "NVIDIA GeForce RTX 2080 Ti";
    device.compute_capability_major = 7;
    device.compute_capability_minor = 5;
    EXPECT_EQ(model_of_device(device).value().l2_bytes, 5632 * 1024);
    device.name = "NVIDIA L40";  // no L4
    device.compute_capability_major = 8;
    device.compute_capability_minor = 9;
    device.sm_count = 142;
    EXPECT_NE(model_of_device(device).value().l2_bytes, find_preset("L4").value().l2_bytes);
}

TEST(ModelOfDevice, ScalesAnUnknownDeviceFromItsArchitecture) {
    DriverDevice device = a100_80gb();
    device.name = "NVIDIA A30";
    device.sm_count = 56;
    device.clock_khz = 1440000;
    const GpuModel model = model_of_device(device).value();
    const GpuModel a100 = find_preset("A100").value();
    EXPECT_EQ(model.sm_count, 56);
    EXPECT_EQ(model.fp32_lanes_per_sm, a100.fp32_lanes_per_sm);
    EXPECT_NEAR(model.l2_bandwidth_gb_per_s, a100.l2_bandwidth_gb_per_s * 56 / 108 * 1.44 / 1.41,
                1e-6);
}

TEST(ModelOfDevice, ANameAloneDoesNotMakeADeviceOfAnotherArchitecture) {
    DriverDevice device = a100_80gb();
    device.compute_capability_minor = 9;  // "A100" in the name, Ada in the chip
    const GpuModel model = model_of_device(device).value();
    EXPECT_EQ(model.fp64_lanes_per_sm, 2);
}

TEST(ModelOfDevice, KeepsThePresetWhereTheDriverSaysNothing) {
    DriverDevice device;
    device.name = "Tesla V100-SXM2-16GB";
    device.compute_capability_major = 7;
    GpuModel expected = find_preset("V100").value();
    expected.name = device.name;
    EXPECT_EQ(model_of_device(device).value(), expected);
}

TEST(ModelOfDevice, KeepsHalidesLimits) {
    const GpuModel model = model_of_device(a100_80gb()).value();
    EXPECT_EQ(model.max_registers_per_thread, 64);
    EXPECT_EQ(model.shared_bytes_per_block, 48 * 1024);
}

TEST(ModelOfDevice, AnswersThatContradictEachOtherAreAnError) {
    DriverDevice device = a100_80gb();
    device.max_threads_per_sm = 512;
    EXPECT_EQ(model_of_device(device).error().message.rfind(
                  "the CUDA driver's answers make no device: GPU model field", 0),
              0u);
    device = a100_80gb();
    device.warp_size = -1;
    EXPECT_FALSE(model_of_device(device).ok());
}

// The library keeps its state for as long as this process, whoever opened it.
class FakeDriver : public ::testing::Test {
protected:
    FakeDriver() : handle_(dlopen(FAKE_CUDA_DRIVER, RTLD_NOW | RTLD_LOCAL)) {}
    ~FakeDriver() override { dlclose(handle_); }

    void device(const DriverDevice &device, int devices = 1, int failing_call = 0) {
        using Reset = void (*)(const char *, size_t, int, int);
        using Set = void (*)(int, int);
        reinterpret_cast<Reset>(dlsym(handle_, "fake_cuda_reset"))(
            device.name.c_str(), static_cast<size_t>(device.memory_bytes), devices, failing_call);
        const auto set = reinterpret_cast<Set>(dlsym(handle_, "fake_cuda_set_attribute"));
#define SET_ATTRIBUTE(attribute, number) \
    if (device.attribute != 0) set(number, static_cast<int>(device.attribute));
        AUTOSCHEDULE_GPU_DRIVER_ATTRIBUTES(SET_ATTRIBUTE)
#undef SET_ATTRIBUTE
    }

    std::string error_when(int failing_call, int devices = 1) {
        device(a100_80gb(), devices, failing_call);
        const auto model = read_from_driver(FAKE_CUDA_DRIVER);
        return model.ok() ? "no error" : model.error().message;
    }

    void *handle_;
};

TEST_F(FakeDriver, GivesTheModelOfItsFirstDevice) {
    device(a100_80gb());
    EXPECT_EQ(read_from_driver(FAKE_CUDA_DRIVER).value(), model_of_device(a100_80gb()).value());
}

TEST_F(FakeDriver, SurvivesADriverThatKnowsNoNewerAttribute) {
    DriverDevice old = a100_80gb();
    old.max_blocks_per_sm = 0;
    old.shared_reserved_bytes_per_block = 0;
    device(old);
    EXPECT_EQ(read_from_driver(FAKE_CUDA_DRIVER).value().max_blocks_per_sm, 32);
}

TEST_F(FakeDriver, EveryFailingCallIsAnErrorWithItsName) {
    EXPECT_EQ(error_when(1),
              "the CUDA driver's cuInit failed with code 100 (CUDA_ERROR_NO_DEVICE)");
    EXPECT_EQ(error_when(2),
              "the CUDA driver's cuDeviceGetCount failed with code 100 (CUDA_ERROR_NO_DEVICE)");
    EXPECT_EQ(error_when(3),
              "the CUDA driver's cuDeviceGet failed with code 100 (CUDA_ERROR_NO_DEVICE)");
    EXPECT_EQ(error_when(4),
              "the CUDA driver's cuDeviceGetName failed with code 100 (CUDA_ERROR_NO_DEVICE)");
    EXPECT_EQ(error_when(0, 0), "the CUDA driver has no device");
}

TEST(ReadFromDriver, AMissingLibraryIsAnErrorAndNoCrash) {
    const auto model = read_from_driver("libcuda_that_is_not_there.so.1");
    ASSERT_FALSE(model.ok());
    EXPECT_EQ(model.error().message.rfind("no CUDA driver: ", 0), 0u);
    EXPECT_EQ(model.error().lack, DriverLack::absent);
}

TEST(ReadFromDriver, AnotherLibraryIsNoDriver) {
    EXPECT_EQ(
        read_from_driver(EMPTY_LIBRARY).error().message,
        std::string(EMPTY_LIBRARY) + " is not a CUDA driver: it lacks functions of the driver API");
}

TEST(ReadFromDriver, GivesAValidModelOrAnErrorOnThisMachine) {
    const auto model = read_from_driver();
    EXPECT_TRUE(!model.ok() || check(*model).ok());
}

}  // namespace
}  // namespace autoschedule_gpu
