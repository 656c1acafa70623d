#include "gpu/resolve.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace autoschedule_gpu {
namespace {

constexpr const char *kNoDriver = "libcuda_that_is_not_there.so.1";

std::string resolved(std::string_view request, const TargetHints &hints = {}) {
    return resolve_gpu_model(request, hints, kNoDriver).value().name;
}

TEST(ResolveGpuModel, TakesAPresetByName) {
    EXPECT_EQ(resolved("rtx 3090"), "RTX3090");
}

TEST(ResolveGpuModel, TakesAPresetAsItStandsWhateverTheApi) {
    EXPECT_EQ(resolved("V100", {.api = GpuApi::opencl}), "V100");
}

TEST(ResolveGpuModel, AutoWithoutDriverFollowsTheCapabilityOfTheTarget) {
    EXPECT_EQ(resolved("auto", {.cuda_capability = 70}), "V100");
    EXPECT_EQ(resolved("auto", {.cuda_capability = 75}), "RTX2080Ti");
    EXPECT_EQ(resolved("auto", {.cuda_capability = 80}), "A100");
    EXPECT_EQ(resolved("auto", {.cuda_capability = 86}), "RTX3090");
    EXPECT_EQ(resolved("Auto", {.cuda_capability = 89}), "RTX4090");
    EXPECT_EQ(resolved("auto", {.cuda_capability = 90}), "H100");
}

TEST(ResolveGpuModel, AutoWithoutDriverAndCapabilityIsA100) {
    EXPECT_EQ(resolved("auto"), "A100");
    EXPECT_EQ(resolved(""), "A100");
}

TEST(ResolveGpuModel, AutoIsTheGenericDeviceOnEveryOtherApi) {
    for (const GpuApi api :
         {GpuApi::opencl, GpuApi::metal, GpuApi::vulkan, GpuApi::d3d12compute, GpuApi::webgpu}) {
        EXPECT_EQ(resolved("auto", {.api = api, .cuda_capability = 80}), "opencl-generic");
    }
}

TEST(ResolveGpuModel, AutoAsksTheDriverFirst) {
    void *handle = dlopen(FAKE_CUDA_DRIVER, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle, nullptr);
    using Reset = void (*)(const char *, size_t, int, int);
    using Set = void (*)(int, int);
    constexpr int kCapabilityMajor = 75, kCapabilityMinor = 76;
    reinterpret_cast<Reset>(dlsym(handle, "fake_cuda_reset"))("NVIDIA H200", 150000000000, 1, 0);
    reinterpret_cast<Set>(dlsym(handle, "fake_cuda_set_attribute"))(kCapabilityMajor, 9);
    reinterpret_cast<Set>(dlsym(handle, "fake_cuda_set_attribute"))(kCapabilityMinor, 0);
    const GpuModel model =
        resolve_gpu_model("auto", {.cuda_capability = 70}, FAKE_CUDA_DRIVER).value();
    EXPECT_EQ(model.name, "NVIDIA H200");
    EXPECT_EQ(model.dram_bandwidth_gb_per_s, 4800);
    dlclose(handle);
}

TEST(ResolveGpuModel, TakesAPathAsAFile) {
    const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                       ("resolve_test_" + std::to_string(getpid()) + ".json");
    std::ofstream(path) << R"({"base": "V100", "name": "mine"})";
    EXPECT_EQ(resolved(path.string()), "mine");
    std::filesystem::remove(path);
}

TEST(ResolveGpuModel, AFileThatCannotBeReadIsAnError) {
    EXPECT_EQ(resolve_gpu_model("none.json").error().message, "none.json: cannot be read");
    EXPECT_EQ(resolve_gpu_model("a/b").error().message, "a/b: cannot be read");
}

TEST(ResolveGpuModel, AnUnknownNameIsAnErrorThatListsAllWaysOut) {
    EXPECT_EQ(resolve_gpu_model("GTX 1080").error().message,
              "unknown GPU 'GTX 1080'; known presets: V100, RTX2080Ti, A100, RTX3090, RTX4090, "
              "H100, H200, opencl-generic; or give \"auto\" or the path of a JSON file");
}

}  // namespace
}  // namespace autoschedule_gpu
