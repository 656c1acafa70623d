#include "core/gpu/gpu_model_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/json/json.h"

namespace autoschedule_gpu {
namespace {

std::string error_of(std::string_view json) {
    const Result<GpuModel> model = parse_model(json);
    return model.ok() ? "no error" : model.error().message;
}

void expect_error_contains(std::string_view json, std::string_view part) {
    EXPECT_NE(error_of(json).find(part), std::string::npos)
        << "JSON: " << json << "\nerror: " << error_of(json) << "\nexpected: " << part;
}

TEST(GpuModelFile, EveryPresetSurvivesTheRoundTrip) {
    for (const std::string &name : preset_names()) {
        const GpuModel preset = find_preset(name).value();
        const Result<GpuModel> read = parse_model(to_json(preset));
        ASSERT_TRUE(read.ok()) << error_of(to_json(preset));
        EXPECT_EQ(*read, preset) << name;
    }
}

TEST(GpuModelFile, ListsEveryFieldInOrder) {
    const auto object = Json::parse(to_json(find_preset("A100").value()));
    auto entry = object.begin();
    for (const GpuModelField &field : gpu_model_fields()) {
        ASSERT_NE(entry, object.end());
        EXPECT_EQ(entry.key(), field.name);
        ++entry;
    }
    EXPECT_EQ(entry, object.end());
}

TEST(GpuModelFile, OverridesThePresetNamedAsBase) {
    const GpuModel model = parse_model(R"({
        "base": "rtx 4090", "name": "RTX4080", "api": "opencl", "sm_count": 76, "clock_ghz": 2.505,
        "kernel_launch_us": 4})")
                               .value();
    GpuModel expected = find_preset("RTX4090").value();
    expected.name = "RTX4080";
    expected.api = GpuApi::opencl;
    expected.sm_count = 76;
    expected.clock_ghz = 2.505;
    expected.kernel_launch_us = 4;
    EXPECT_EQ(model, expected);
}

TEST(GpuModelFile, AnyFieldMayBeOverridden) {
    const auto preset = Json::parse(to_json(find_preset("H100").value()));
    for (const GpuModelField &field : gpu_model_fields()) {
        Json file = {{"base", "H100"}};
        file[std::string(field.name)] = preset[std::string(field.name)];
        EXPECT_EQ(error_of(file.dump()), "no error") << field.name;
    }
}

TEST(GpuModelFile, WithoutBaseEveryFieldMustBeThere) {
    auto file = Json::parse(to_json(find_preset("H100").value()));
    file.erase("sm_count");
    file.erase("clock_ghz");
    EXPECT_EQ(error_of(file.dump()),
              "expected \"base\" or every field of a GPU model, found neither; missing: sm_count, "
              "clock_ghz");
}

TEST(GpuModelFile, RefusesWhatIsNoJsonObject) {
    expect_error_contains("", "not JSON");
    expect_error_contains("{", "not JSON");
    expect_error_contains(R"({"base": "A100"} more)", "not JSON");
    expect_error_contains("[1]", "expected a JSON object, found a JSON array");
    expect_error_contains("null", "expected a JSON object, found a JSON null");
    expect_error_contains("7", "expected a JSON object, found a JSON number");
}

TEST(GpuModelFile, RefusesUnknownAndRepeatedKeys) {
    expect_error_contains(R"({"base": "A100", "sms": 3})",
                          "expected a field of a GPU model or \"base\", found the key 'sms'");
    expect_error_contains(R"({"base": "A100", "sm_count": 3, "sm_count": 4})",
                          "the key 'sm_count' comes twice");
}

TEST(GpuModelFile, RefusesAWrongBase) {
    expect_error_contains(R"({"base": 4090})",
                          "GPU model field 'base': expected the name of a preset, found 4090");
    expect_error_contains(R"({"base": "Voodoo"})", "unknown GPU 'Voodoo'; known presets: V100,");
}

TEST(GpuModelFile, RefusesValuesOfAnotherType) {
    expect_error_contains(R"({"base": "A100", "name": 3})", "'name': expected a text, found 3");
    expect_error_contains(R"({"base": "A100", "api": "cude"})",
                          "'api': expected one of \"cuda\", \"opencl\", \"metal\", \"vulkan\", "
                          "\"d3d12compute\", \"webgpu\", found \"cude\"");
    expect_error_contains(R"({"base": "A100", "api": 1})", "'api': expected one of");
    expect_error_contains(R"({"base": "A100", "sm_count": 1.5})",
                          "'sm_count': expected a whole number, found 1.5");
    expect_error_contains(R"({"base": "A100", "sm_count": "8"})",
                          "'sm_count': expected a whole number, found \"8\"");
    expect_error_contains(R"({"base": "A100", "clock_ghz": null})",
                          "'clock_ghz': expected a number, found null");
    expect_error_contains(R"({"base": "A100", "clock_ghz": true})",
                          "'clock_ghz': expected a number, found true");
}

TEST(GpuModelFile, RefusesValuesOutOfRange) {
    expect_error_contains(R"({"base": "A100", "sm_count": -1})", "'sm_count': expected a value");
    expect_error_contains(R"({"base": "A100", "sm_count": 18446744073709551615})",
                          "'sm_count': expected a whole number, found 18446744073709551615");
    expect_error_contains(R"({"base": "A100", "clock_ghz": 1e99})",
                          "'clock_ghz': expected a value from 0.01 to 20 GHz, found 1e+99");
    expect_error_contains(R"({"base": "A100", "shared_bytes_per_block": 1000000})",
                          "expected at most 'shared_bytes_per_sm'");
}

class GpuModelFileOnDisk : public ::testing::Test {
protected:
    GpuModelFileOnDisk()
        : folder_(std::filesystem::temp_directory_path() /
                  ("gpu_model_file_test_" + std::to_string(getpid()))) {
        std::filesystem::create_directories(folder_);
    }
    ~GpuModelFileOnDisk() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string &text) const {
        const std::string path = (folder_ / "device.json").string();
        std::ofstream(path) << text;
        return path;
    }

    std::filesystem::path folder_;
};

TEST_F(GpuModelFileOnDisk, IsReadByPath) {
    EXPECT_EQ(read_model_file(write(R"({"base": "V100", "sm_count": 40})")).value().sm_count, 40);
}

TEST_F(GpuModelFileOnDisk, ErrorsBeginWithThePath) {
    const std::string path = write("{}");
    EXPECT_EQ(read_model_file(path).error().message.rfind(path + ": expected \"base\"", 0), 0u);
    const std::string empty = write("");
    EXPECT_EQ(read_model_file(empty).error().message.rfind(empty + ": not JSON", 0), 0u);
}

TEST_F(GpuModelFileOnDisk, AMissingFileAndAFolderCannotBeRead) {
    const std::string missing = (folder_ / "nothing.json").string();
    EXPECT_EQ(read_model_file(missing).error().message, missing + ": cannot be read");
    EXPECT_EQ(read_model_file(folder_.string()).error().message,
              folder_.string() + ": cannot be read");
}

}  // namespace
}  // namespace autoschedule_gpu
