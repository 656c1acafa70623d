#include "core/gpu/resolve.h"

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

TEST(ResolveGpuModel, TakesAPresetForAnyApiWithinWhatTheApiAllows) {
    const auto a100 = [](GpuApi api) {
        return resolve_gpu_model("A100", {.api = api}, kNoDriver).value();
    };
    for (size_t i = 0; i < kGpuApiNames.size(); ++i) {
        const GpuApi api = static_cast<GpuApi>(i);
        EXPECT_EQ(a100(api).name, "A100");
        EXPECT_EQ(a100(api).api, api);
        EXPECT_TRUE(check(a100(api)).ok()) << to_string(api);
    }
    // A driver of OpenCL or Vulkan tells what the device has; Metal and Direct3D tell what to have.
    EXPECT_EQ(a100(GpuApi::opencl).shared_bytes_per_block, 48 * 1024);
    EXPECT_EQ(a100(GpuApi::vulkan).shared_bytes_per_block, 48 * 1024);
    EXPECT_EQ(a100(GpuApi::metal).shared_bytes_per_block, 32 * 1024);
    EXPECT_EQ(a100(GpuApi::d3d12compute).shared_bytes_per_block, 32 * 1024);
    EXPECT_EQ(a100(GpuApi::d3d12compute).max_blocks_x, 65535);
    EXPECT_EQ(a100(GpuApi::vulkan).max_blocks_x, 2147483647);
    EXPECT_EQ(a100(GpuApi::cuda).shared_element_bytes, 1);
    EXPECT_EQ(a100(GpuApi::webgpu).shared_element_bytes, 4);
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

TEST(ResolveGpuModel, AutoIsTheGenericDeviceOfEveryOtherApi) {
    const std::pair<GpuApi, const char *> cases[] = {{GpuApi::opencl, "opencl-generic"},
                                                     {GpuApi::metal, "metal-generic"},
                                                     {GpuApi::vulkan, "vulkan-generic"},
                                                     {GpuApi::d3d12compute, "d3d12compute-generic"},
                                                     {GpuApi::webgpu, "webgpu-generic"}};
    for (const auto &[api, name] : cases) {
        EXPECT_EQ(resolved("auto", {.api = api, .cuda_capability = 80}), name);
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

TEST(ResolveGpuModel, AFileRaisesTheLimitsOfTheGenericDeviceAsFarAsTheApiAllows) {
    const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                       ("resolve_test_" + std::to_string(getpid()) + ".json");
    std::ofstream(path) << R"({"base": "metal-generic", "max_threads_per_block": 2048,
        "max_threads_per_sm": 2048, "shared_bytes_per_block": 65536})";
    const auto limits = [&](GpuApi api) {
        const GpuModel model = resolve_gpu_model(path.string(), {.api = api}, kNoDriver).value();
        return std::pair(model.max_threads_per_block, model.shared_bytes_per_block);
    };
    EXPECT_EQ(limits(GpuApi::metal), std::pair(int64_t{1024}, int64_t{32768}));
    EXPECT_EQ(limits(GpuApi::cuda), std::pair(int64_t{1024}, int64_t{49152}));
    EXPECT_EQ(limits(GpuApi::vulkan), std::pair(int64_t{2048}, int64_t{65536}));
    std::filesystem::remove(path);
}

TEST(ResolveGpuModel, SaysWhereTheDeviceComesFrom) {
    const auto origin = [](std::string_view request, const TargetHints &hints = {}) {
        return resolve_gpu(request, hints, kNoDriver).value().origin;
    };
    EXPECT_EQ(origin("V100"), GpuOrigin::preset);
    EXPECT_EQ(origin("auto"), GpuOrigin::assumed);
    EXPECT_EQ(origin("auto", {.cuda_capability = 86}), GpuOrigin::capability);
    EXPECT_EQ(origin("auto", {.api = GpuApi::vulkan}), GpuOrigin::generic);
    for (const GpuOrigin one : {GpuOrigin::preset, GpuOrigin::file, GpuOrigin::driver,
                                GpuOrigin::capability, GpuOrigin::assumed, GpuOrigin::generic}) {
        EXPECT_FALSE(origin_text({.model = {}, .origin = one}).empty());
    }
}

TEST(ResolveGpuModel, TellsADriverThatFailsFromNone) {
    const auto text = [](const TargetHints &hints, const std::string &library) {
        return origin_text(resolve_gpu("auto", hints, library).value());
    };
    EXPECT_EQ(text({}, kNoDriver),
              "assumed, for there is no CUDA driver here; autoscheduler.gpu=NAME names another");
    EXPECT_EQ(text({.cuda_capability = 86}, kNoDriver),
              "assumed for the target's capability, for there is no CUDA driver here");
    void *handle = dlopen(FAKE_CUDA_DRIVER, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle, nullptr);
    using Reset = void (*)(const char *, size_t, int, int);
    constexpr int kInitFails = 1;
    reinterpret_cast<Reset>(dlsym(handle, "fake_cuda_reset"))("NVIDIA H200", 1, 1, kInitFails);
    EXPECT_EQ(text({}, FAKE_CUDA_DRIVER),
              "assumed, for the CUDA driver's cuInit failed with code 100 (CUDA_ERROR_NO_DEVICE); "
              "autoscheduler.gpu=NAME names another");
    dlclose(handle);
}

TEST(ResolveGpuModel, AFileThatCannotBeReadIsAnError) {
    EXPECT_EQ(resolve_gpu_model("none.json").error().message, "none.json: cannot be read");
    EXPECT_EQ(resolve_gpu_model("a/b").error().message, "a/b: cannot be read");
}

TEST(ResolveGpuModel, AnUnknownNameIsAnErrorThatListsAllWaysOut) {
    const std::string message = resolve_gpu_model("GTX 1080").error().message;
    EXPECT_TRUE(message.starts_with("unknown GPU 'GTX 1080'; known presets: V100, ")) << message;
    EXPECT_TRUE(message.ends_with("webgpu-generic; or give \"auto\" or the path of a JSON file"))
        << message;
}

}  // namespace
}  // namespace autoschedule_gpu
