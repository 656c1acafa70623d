#include "core/gpu/api_capabilities.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace autoschedule_gpu {
namespace {

std::vector<GpuApi> all_apis() {
    std::vector<GpuApi> apis;
    for (size_t i = 0; i < kGpuApiNames.size(); ++i) apis.push_back(static_cast<GpuApi>(i));
    return apis;
}

std::vector<std::pair<std::string_view, int64_t>> listed(const ApiLimits &limits) {
#define LIMIT(field, meaning) {#field, limits.field},
    return {AUTOSCHEDULE_GPU_API_LIMITS(LIMIT)};
#undef LIMIT
}

std::vector<std::pair<std::string_view, Ability>> abilities(GpuApi api) {
    const ApiCapabilities &able = capabilities(api);
#define ABILITY(ability, what) {what, able.ability},
    return {AUTOSCHEDULE_GPU_API_ABILITIES(ABILITY)};
#undef ABILITY
}

TEST(ApiCapabilities, AreFoundByTheApi) {
    for (const GpuApi api : all_apis()) EXPECT_EQ(capabilities(api).api, api);
}

TEST(ApiCapabilities, NoDeviceIsTakenToHoldMoreThanTheApiAllows) {
    for (const GpuApi api : all_apis()) {
        const auto any = listed(capabilities(api).any_device);
        const auto most = listed(capabilities(api).at_most);
        for (size_t i = 0; i < any.size(); ++i) {
            EXPECT_GT(any[i].second, 0) << to_string(api) << " " << any[i].first;
            EXPECT_LE(any[i].second, most[i].second) << to_string(api) << " " << any[i].first;
        }
    }
}

TEST(ApiCapabilities, AnAbilityNamesAFeatureExactlyWhereItNeedsOne) {
    for (const GpuApi api : all_apis()) {
        for (const auto &[what, ability] : abilities(api)) {
            EXPECT_EQ(ability.when == Ability::When::with_feature, !ability.feature.empty())
                << to_string(api) << " " << what;
        }
    }
}

TEST(ApiCapabilities, AreTheLimitsOfTheGenericDevices) {
    for (const GpuApi api : all_apis()) {
        if (api == GpuApi::cuda) continue;
        const GpuModel model = generic_preset(api);
        EXPECT_EQ(model.api, api);
        EXPECT_EQ(model.warp_size, capabilities(api).warp_size);
        EXPECT_EQ(model.shared_element_bytes, capabilities(api).shared_element_bytes);
        EXPECT_EQ(with_limits(model, capabilities(api).any_device), model) << model.name;
        EXPECT_EQ(within_limits(model, capabilities(api).at_most), model) << model.name;
    }
}

TEST(ApiCapabilities, AreTheLimitsOfEveryCudaPreset) {
    for (const std::string &name : preset_names()) {
        const GpuModel model = find_preset(name).value();
        if (model.api != GpuApi::cuda) continue;
        EXPECT_EQ(with_limits(model, capabilities(GpuApi::cuda).any_device), model) << name;
    }
}

TEST(ApiCapabilities, BoundsTakeTheLesserOfTwoLimitsAndLeaveAllElse) {
    ApiLimits limits = capabilities(GpuApi::cuda).at_most;
    limits.max_threads_y = 7;
    limits.shared_bytes_per_block = kNoLimit;
    const GpuModel a100 = find_preset("A100").value();
    GpuModel expected = a100;
    expected.max_threads_y = 7;
    EXPECT_EQ(within_limits(a100, limits), expected);
    EXPECT_EQ(with_limits(a100, limits).shared_bytes_per_block, kNoLimit);
}

TEST(ApiCapabilities, AreShownWithARowForEachAndAColumnPerApi) {
    const std::string table = capabilities_markdown();
    EXPECT_NE(table.find("|  | CUDA | OpenCL | Metal | Vulkan | Direct3D 12 | WebGPU |\n"),
              std::string::npos);
    EXPECT_NE(table.find("| threads per block | 1024 | 256 (any) | 512 (1024) |"),
              std::string::npos);
    EXPECT_NE(table.find("| half | yes | `cl_half` | yes | `vk_float16` | no | no |"),
              std::string::npos);
    const size_t rows =
        listed(capabilities(GpuApi::cuda).any_device).size() + abilities(GpuApi::cuda).size() + 2;
    EXPECT_EQ(static_cast<size_t>(std::count(table.begin(), table.end(), '\n')), rows + 2);
}

}  // namespace
}  // namespace autoschedule_gpu
