#include "compare/explain/feature_file.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/json/json.h"
#include "core/process/subprocess.h"
#include "core/process/temporary_folder.h"
#include "core/support/hex.h"
#include "lab/samples/featurization.h"
#include "lab/samples/origin.h"
#include "lab/samples/record.h"
#include "unit/lab/samples/example_samples.h"

namespace autoschedule_gpu {
namespace {

ProcessResult run_tool(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), SAMPLES_INFO);
    return run_process(arguments, std::chrono::seconds{120}).value();
}

bool has(const std::string &text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

// A featurization and a sample file, each of two kernels with three stages.
class SamplesInfo : public testing::Test {
protected:
    SamplesInfo() {
        const Sample sample = example_sample("a");
        EXPECT_TRUE(write_file(features_, featurization_bytes(sample.kernels).value()));
        EXPECT_TRUE(append_samples(samples_, example_origin(), {&sample, 1}));
    }

    std::string path(const char *name) const { return folder_.path() / name; }

    TemporaryFolder folder_ = TemporaryFolder::create("samples_info_test_").value();
    std::string features_ = path("f.featurization"), samples_ = path("s.samples");
};

TEST_F(SamplesInfo, ShowsEveryFeatureOfAFeaturizationByName) {
    const ProcessResult result = run_tool({features_});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_TRUE(result.out.starts_with(features_ + ": featurization, feature list ")) << result.out;
    for (const auto list :
         {kernel_feature_list(), stage_feature_list(), algorithm_feature_list()}) {
        for (const FeatureInfo &info : list) {
            EXPECT_TRUE(has(result.out, "\n" + std::string(info.name) + " ")) << info.name;
        }
    }
}

TEST_F(SamplesInfo, GivesTheFeaturesOfAFeaturizationAsJson) {
    const ProcessResult result = run_tool({"--json", features_});
    ASSERT_EQ(result.code, 0) << result.err;
    const Json file = Json::parse(result.out).at(0);
    EXPECT_EQ(file["format"], "featurization");
    ASSERT_EQ(file["kernels"].size(), 2u);
    const Json &kernel = file["kernels"][1];
    EXPECT_EQ(kernel["features"]["num_blocks"], 20);  // the first feature of that kernel
    ASSERT_EQ(kernel["stages"].size(), 2u);
    EXPECT_EQ(kernel["stages"][1]["stage"], 4);
    EXPECT_EQ(kernel["stages"][1]["features"]["num_scalars"], 2020);
    EXPECT_EQ(kernel["stages"][1]["features"]["ops_add"], 2520);
}

TEST_F(SamplesInfo, NamesTheFeatureListThatAFileWasWrittenWith) {
    const auto schema = [&](const std::string &file) {
        return Json::parse(run_tool({"--json", file}).out).at(0)["schema"];
    };
    EXPECT_EQ(schema(features_), to_hex(feature_schema_hash()));
    EXPECT_EQ(schema(samples_), to_hex(feature_schema_hash()));
    const FeatureCounts &earlier = api::kEarlierFeatureCounts[0];
    const std::string tables = earlier_tables({example_table(10, 1)}, earlier);
    ASSERT_TRUE(write_file(features_, earlier_header(kFeaturizationFormat, earlier) +
                                          record_bytes(0, tables).value()));
    EXPECT_EQ(schema(features_), to_hex(feature_schema_hash(earlier)));
    ASSERT_TRUE(write_file(samples_, earlier_header(kSampleFormat, earlier) +
                                         record_bytes(0, to_json(example_origin())).value()));
    EXPECT_EQ(schema(samples_), to_hex(feature_schema_hash(earlier)));
}

TEST_F(SamplesInfo, CountsSamplesAndSpreadsTheirFeatures) {
    const Sample other = example_sample("b");
    ASSERT_TRUE(append_samples(samples_, example_origin(), {&other, 1}));
    const ProcessResult result = run_tool({"--json", samples_});
    ASSERT_EQ(result.code, 0) << result.err;
    const Json file = Json::parse(result.out).at(0);
    EXPECT_EQ(file["format"], "samples");
    EXPECT_EQ(file["origin"]["device"], "NVIDIA H200");
    EXPECT_EQ(file["origin"]["gpu"]["sm_count"], example_origin().gpu.sm_count);
    EXPECT_EQ(file["samples"], 2);
    EXPECT_EQ(file["pipelines"], 1);
    EXPECT_EQ(file["kernels"], 4);
    EXPECT_EQ(file["stages"], 6);
    EXPECT_EQ(file["times"], 4);
    EXPECT_EQ(file["torn_bytes"], 0);
    const Json &blocks = file["features"][0];  // 10 and 20, twice
    EXPECT_EQ(blocks["name"], "num_blocks");
    EXPECT_EQ(blocks["of"], "kernel");
    EXPECT_EQ(blocks["values"], 4);
    EXPECT_EQ(blocks["zeros"], 0);
    EXPECT_EQ(blocks["least"], 10);
    EXPECT_EQ(blocks["median"], 15);
    EXPECT_EQ(blocks["greatest"], 20);
}

TEST_F(SamplesInfo, ShowsWhereSamplesComeFromAndWhatWasLeftOut) {
    const std::string bytes = read_file(samples_).value();
    ASSERT_TRUE(write_file(samples_, bytes.substr(0, bytes.size() - 1)));
    const ProcessResult result = run_tool({samples_});
    ASSERT_EQ(result.code, 0) << result.err;
    for (const char *part : {"sample file, feature list ", "NVIDIA H200", "550.1", "2026-11-22",
                             "collect --pipelines 10"}) {
        EXPECT_TRUE(has(result.out, part)) << part << "\n" << result.out;
    }
    const std::string found =
        Json::parse(run_tool({"--json", samples_}).out)[0]["torn_bytes"].dump();
    EXPECT_NE(found, "0");
    EXPECT_TRUE(has(result.out, "torn record at the end")) << result.out;
    EXPECT_TRUE(has(result.out, found)) << result.out;
}

TEST_F(SamplesInfo, TakesSeveralFiles) {
    EXPECT_EQ(Json::parse(run_tool({"--json", samples_, features_}).out).size(), 2u);
    const std::string text = run_tool({samples_, features_}).out;
    EXPECT_EQ(text, run_tool({samples_}).out + run_tool({features_}).out);
}

TEST_F(SamplesInfo, ExitsWith2AndOneLineOnBadInput) {
    const std::string foreign = path("foreign"), damaged = path("damaged"), log = path("log");
    ASSERT_TRUE(write_file(foreign, "other"));
    std::string bytes = read_file(features_).value();
    bytes[40] ^= 1;
    ASSERT_TRUE(write_file(damaged, bytes));
    bytes = read_file(samples_).value();
    bytes[40] ^= 1;
    ASSERT_TRUE(write_file(log, bytes));
    for (const std::string &bad : {foreign, damaged, log, path("missing"), path("")}) {
        const ProcessResult result = run_tool({features_, bad});
        EXPECT_EQ(result.code, 2) << bad;
        EXPECT_EQ(result.out, "") << bad;
        EXPECT_TRUE(result.err.starts_with("samples_info: " + bad + ": ")) << result.err;
        EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    }
}

TEST_F(SamplesInfo, ExitsWith2OnBadUsage) {
    EXPECT_EQ(run_tool({}).code, 2);
    EXPECT_EQ(run_tool({"--nonsense", features_}).code, 2);
    EXPECT_EQ(run_tool({"--help"}).code, 0);
}

}  // namespace
}  // namespace autoschedule_gpu
