#include "core/gpu/gpu_model.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace autoschedule_gpu {
namespace {

GpuModel preset(std::string_view name) {
    return find_preset(name).value();
}

TEST(GpuPresets, AreNamedInOrderOfAppearanceAndEndWithTheGenericDevices) {
    const std::vector<std::string> expected = {"V100",
                                               "RTX2080Ti",
                                               "A100",
                                               "RTX3090",
                                               "RTX4090",
                                               "H100",
                                               "H200",
                                               "opencl-generic",
                                               "metal-generic",
                                               "vulkan-generic",
                                               "d3d12compute-generic",
                                               "webgpu-generic"};
    EXPECT_EQ(preset_names(), expected);
}

TEST(GpuPresets, AllPassTheCheck) {
    for (const std::string &name : preset_names()) {
        const Status status = check(preset(name));
        EXPECT_TRUE(status.ok()) << name << ": " << (status.ok() ? "" : status.error().message);
    }
}

TEST(GpuPresets, LeaveNoRateAtZero) {
    for (const std::string &name : preset_names()) {
        const GpuModel model = preset(name);
        for (const GpuModelField &field : gpu_model_fields()) {
            if (const auto *real = std::get_if<double GpuModel::*>(&field.member)) {
                EXPECT_GT(model.**real, 0) << name << " " << field.name;
            }
        }
        EXPECT_GT(model.l2_bandwidth_gb_per_s, model.dram_bandwidth_gb_per_s) << name;
        EXPECT_LT(model.l1_latency_cycles, model.l2_latency_cycles) << name;
        EXPECT_LT(model.l2_latency_cycles, model.dram_latency_cycles) << name;
    }
}

// Peak single-precision rates of the vendors' data sheets, in TFLOPS.
TEST(GpuPresets, ReachThePublishedArithmeticPeak) {
    const std::pair<const char *, double> cases[] = {
        {"V100", 15.7},    {"RTX2080Ti", 13.4}, {"A100", 19.5}, {"RTX3090", 35.6},
        {"RTX4090", 82.6}, {"H100", 66.9},      {"H200", 66.9}};
    for (const auto &[name, tflops] : cases) {
        const GpuModel m = preset(name);
        const double peak =
            2e-3 * static_cast<double>(m.sm_count * m.fp32_lanes_per_sm) * m.clock_ghz;
        EXPECT_NEAR(peak, tflops, 0.01 * tflops) << name;
    }
}

TEST(GpuPresets, CarryHalidesLimitsAndNotTheHardwares) {
    for (const std::string &name : preset_names()) {
        const GpuModel model = preset(name);
        EXPECT_EQ(model.max_registers_per_thread, 64) << name;
        EXPECT_LE(model.shared_bytes_per_block, 48 * 1024) << name;
        EXPECT_LE(model.max_threads_z, 64) << name;
    }
}

TEST(GpuPresets, AreFoundWithoutRegardToCaseSpacesDashesAndUnderscores) {
    for (const char *name : {"rtx4090", "RTX 4090", "Rtx-4090", "RTX_4090", " r t x 4090 "}) {
        EXPECT_EQ(preset(name).name, "RTX4090") << name;
    }
    EXPECT_EQ(preset("OpenCL Generic").name, "opencl-generic");
}

TEST(DeviceNames, MeetInWholeWords) {
    const std::pair<const char *, const char *> same[] = {
        {"A100", "NVIDIA A100-SXM4-40GB"},
        {"RTX4090", "NVIDIA GeForce RTX 4090"},
        {"opencl-generic", "OpenCL generic"},
        {"H100", "h100"},
    };
    for (const auto &[a, b] : same) {
        EXPECT_TRUE(may_name_same_device(a, b)) << a << ", " << b;
        EXPECT_TRUE(may_name_same_device(b, a)) << a << ", " << b;
    }
    const std::pair<const char *, const char *> other[] = {
        {"A100", "NVIDIA RTX A1000"}, {"A100", "H100"}, {"T4", "RTX 4000"}, {"", "H100"}, {"", ""}};
    for (const auto &[a, b] : other) {
        EXPECT_FALSE(may_name_same_device(a, b)) << a << ", " << b;
        EXPECT_FALSE(may_name_same_device(b, a)) << a << ", " << b;
    }
}

TEST(GpuPresets, UnknownNameIsAnErrorThatListsThePresets) {
    const Result<GpuModel> result = find_preset("RTX 9999");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().message,
              "unknown GPU 'RTX 9999'; known presets: V100, RTX2080Ti, A100, RTX3090, RTX4090, "
              "H100, H200, opencl-generic, metal-generic, vulkan-generic, d3d12compute-generic, "
              "webgpu-generic");
    EXPECT_FALSE(find_preset("").ok());
    EXPECT_FALSE(find_preset("rtx409").ok());
}

TEST(GpuPresets, ACapabilityStandsForTheNewestDeviceThatIsNotNewer) {
    const std::pair<int, const char *> cases[] = {
        {30, "V100"},      {61, "V100"}, {70, "V100"},    {72, "V100"},
        {75, "RTX2080Ti"}, {80, "A100"}, {86, "RTX3090"}, {87, "RTX3090"},
        {89, "RTX4090"},   {90, "H100"}, {120, "H100"}};
    for (const auto &[capability, name] : cases) {
        EXPECT_EQ(preset_for_capability(capability).name, name) << capability;
    }
}

TEST(GpuModelFields, AreOneListOfUniqueDocumentedNames) {
    std::set<std::string_view> names;
    for (const GpuModelField &field : gpu_model_fields()) {
        EXPECT_TRUE(names.insert(field.name).second) << field.name;
        EXPECT_FALSE(field.meaning.empty()) << field.name;
        const bool is_number = std::holds_alternative<int64_t GpuModel::*>(field.member) ||
                               std::holds_alternative<double GpuModel::*>(field.member);
        EXPECT_TRUE(!is_number || field.least < field.greatest) << field.name;
    }
}

TEST(GpuModelCheck, RefusesEveryNumberOutsideItsRange) {
    const GpuModel good = preset("A100");
    for (const GpuModelField &field : gpu_model_fields()) {
        for (const double bad : {field.least - 1, field.greatest + 1}) {
            GpuModel model = good;
            if (const auto *whole = std::get_if<int64_t GpuModel::*>(&field.member)) {
                model.**whole = static_cast<int64_t>(bad);
            } else if (const auto *real = std::get_if<double GpuModel::*>(&field.member)) {
                model.**real = bad;
            } else {
                continue;
            }
            const Status status = check(model);
            ASSERT_FALSE(status.ok()) << field.name << " " << bad;
            EXPECT_NE(status.error().message.find("'" + std::string(field.name) + "'"),
                      std::string::npos)
                << status.error().message;
        }
    }
}

TEST(GpuModelCheck, SaysWhatWasExpectedAndFound) {
    GpuModel model = preset("A100");
    model.sm_count = 0;
    EXPECT_EQ(check(model).error().message,
              "GPU model field 'sm_count': expected a value from 1 to 4096 SMs, found 0");
}

TEST(GpuModelCheck, RefusesNotANumberAndAMissingName) {
    GpuModel model = preset("A100");
    model.clock_ghz = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(check(model).ok());
    model = preset("A100");
    model.name.clear();
    EXPECT_EQ(check(model).error().message, "GPU model field 'name': expected a name, found none");
}

TEST(GpuModelCheck, RefusesLimitsThatContradictEachOther) {
    GpuModel model = preset("A100");
    model.shared_bytes_per_block = model.shared_bytes_per_sm + 1;
    EXPECT_EQ(check(model).error().message,
              "GPU model field 'shared_bytes_per_block': expected at most 'shared_bytes_per_sm' "
              "(167936), found 167937");
    model = preset("A100");
    model.max_threads_per_block = 4096;
    EXPECT_FALSE(check(model).ok());
    model = preset("A100");
    model.max_threads_z = 2048;
    EXPECT_FALSE(check(model).ok());
}

TEST(GpuModelCheck, RefusesASectorThatIsNoPowerOfTwo) {
    GpuModel model = preset("A100");
    model.l1_sector_bytes = 48;
    EXPECT_EQ(check(model).error().message,
              "GPU model field 'l1_sector_bytes': expected a power of two, found 48");
}

}  // namespace
}  // namespace autoschedule_gpu
