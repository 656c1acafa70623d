#include "core/gpu/gpu_model.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "core/gpu/api_capabilities.h"
#include "core/gpu/presets.h"

namespace autoschedule_gpu {
namespace {

GpuModel preset(std::string_view name) {
    return find_preset(name).value();
}

TEST(GpuPresets, AreNamedInOrderOfAppearanceAndEndWithTheGenericDevices) {
    const std::vector<std::string> expected = {"V100",
                                               "RTX2060",
                                               "RTX2070",
                                               "RTX2080",
                                               "RTX2080Ti",
                                               "T4",
                                               "A100",
                                               "A10",
                                               "A40",
                                               "RTX3060",
                                               "RTX3070",
                                               "RTX3080",
                                               "RTX3090",
                                               "Orin",
                                               "L4",
                                               "L40S",
                                               "RTX4060",
                                               "RTX4070",
                                               "RTX4080",
                                               "RTX4090",
                                               "H100",
                                               "H200",
                                               "RTX5070",
                                               "RTX5080",
                                               "RTX5090",
                                               "MI210",
                                               "RX7900XTX",
                                               "M1",
                                               "M1Max",
                                               "M2",
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
        {"V100", 15.7},      {"RTX2060", 6.45},  {"RTX2070", 7.46}, {"RTX2080", 10.07},
        {"RTX2080Ti", 13.4}, {"T4", 8.1},        {"A100", 19.5},    {"A10", 31.2},
        {"A40", 37.4},       {"RTX3060", 12.74}, {"RTX3070", 20.3}, {"RTX3080", 29.8},
        {"RTX3090", 35.6},   {"Orin", 5.3},      {"L4", 30.3},      {"L40S", 91.6},
        {"RTX4060", 15.1},   {"RTX4070", 29.1},  {"RTX4080", 48.7}, {"RTX4090", 82.6},
        {"H100", 66.9},      {"H200", 66.9},     {"RTX5070", 30.9}, {"RTX5080", 56.3},
        {"RTX5090", 104.8},  {"MI210", 22.6},    {"M1", 2.6},       {"M1Max", 10.4},
        {"M2", 3.6}};
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
        EXPECT_EQ(within_limits(model, capabilities(model.api).at_most), model) << name;
        if (model.api != GpuApi::cuda) continue;
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
    const std::string &message = result.error().message;
    EXPECT_TRUE(message.starts_with("unknown GPU 'RTX 9999'; known presets: V100, ")) << message;
    EXPECT_TRUE(message.ends_with(", d3d12compute-generic, webgpu-generic")) << message;
    for (const std::string &name : preset_names()) {
        EXPECT_NE(message.find(name), std::string::npos) << name;
    }
    EXPECT_FALSE(find_preset("").ok());
    EXPECT_FALSE(find_preset("rtx409").ok());
}

TEST(GpuPresets, HaveANameAndASourceOfTheirOwn) {
    std::set<std::string> names;
    for (const auto &[model, source] : gpu_presets()) {
        EXPECT_TRUE(names.insert(normalised_device_name(model.name)).second) << model.name;
        EXPECT_FALSE(source.empty()) << model.name;
    }
}

TEST(GpuPresets, ACapabilityStandsForTheNewestDeviceThatIsNotNewer) {
    const std::pair<int, const char *> cases[] = {
        {30, "V100"},      {61, "V100"}, {70, "V100"},    {72, "V100"},
        {75, "RTX2080Ti"}, {80, "A100"}, {86, "RTX3090"}, {87, "Orin"},
        {89, "RTX4090"},   {90, "H100"}, {100, "H100"},   {120, "RTX5090"}};
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
