// Records in other formats, read back by who uses these.
#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

#include "lab/records/record_export.h"
#include "lab/run/replay.h"
#include "lab/samples/featurization.h"
#include "lab/samples/sample_file.h"
#include "lab/workloads/sampler.h"
#include "unit/lab/records/example_records.h"
#include "unit/lab/samples/example_samples.h"

namespace autoschedule_gpu {
namespace {

class ExportedRecords : public ::testing::Test {
protected:
    ExportedRecords() {
        TuningRecord with_features = record_with_features(1);
        with_features.compared_ms["final"] = {2};
        for (const TuningRecord &record :
             {with_features, example_record(2), failed_record(3, FailureKind::timeout),
              failed_record(4, FailureKind::lost)}) {
            EXPECT_TRUE(store_.add(record).value());
        }
    }
    static TuningRecord record_with_features(uint64_t code_hash) {
        TuningRecord record = example_record(code_hash, 2);
        record.features = featurization_bytes(std::vector{example_table(10, 1)}).value();
        record.environment.feature_schema = feature_schema_hash();
        return record;
    }
    void add_of_another_device() {
        TuningRecord other = example_record(5);
        other.environment.device = "opencl: x/y";
        ASSERT_TRUE(store_.add(other).value());
    }

    Scratch scratch_;
    RecordStore store_ = open_store(scratch_.path("tuning.records"));
};

TEST_F(ExportedRecords, CanBeReplayed) {
    const std::string path = scratch_.path("out.jsonl");
    const ExportCounts counts = *export_measurements(store_, {}, path);
    EXPECT_EQ(counts.written, 3);
    EXPECT_EQ(counts.left_out, 1);  // a worker's end says nothing of the code
    const Replay replay = *Replay::open(path);
    EXPECT_EQ(replay.device(), "cuda: NVIDIA H200");
    EXPECT_EQ(replay.find({"harris", "reduced", 1})->median_ms, 2);
    EXPECT_EQ(replay.find({"harris", "reduced", 3}).error().kind, FailureKind::timeout);
    EXPECT_EQ(replay.find({"harris", "reduced", 4}).error().kind, FailureKind::setup);
}

TEST_F(ExportedRecords, AreAFilePerDevice) {
    add_of_another_device();
    const auto refused = export_measurements(store_, {}, scratch_.path("out.jsonl"));
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("--device"), std::string::npos);
    std::filesystem::create_directory(scratch_.path("out"));
    ASSERT_TRUE(export_measurements(store_, {}, scratch_.path("out")));
    EXPECT_EQ(Replay::open(scratch_.path("out/NVIDIA_H200.jsonl"))->size(), 3U);
    EXPECT_EQ(Replay::open(scratch_.path("out/opencl__x_y.jsonl"))->device(), "opencl: x/y");
}

// The code is that of the first, so a replay would take both for one candidate.
TEST_F(ExportedRecords, AreOfOneDriverGpuAndHalide) {
    std::filesystem::create_directory(scratch_.path("out"));
    const auto options = {std::pair("--driver", &Environment::driver),
                          std::pair("--gpu", &Environment::gpu),
                          std::pair("--halide", &Environment::halide)};
    for (const auto &[option, part] : options) {
        RecordStore store = open_store(scratch_.path(std::string("of") + option));
        TuningRecord other = record_with_features(1);
        other.environment.*part = "another";
        ASSERT_TRUE(store.add(record_with_features(1)).value());
        ASSERT_TRUE(store.add(other).value());
        const std::string samples = scratch_.path("of.samples");
        for (const auto &refused : {export_measurements(store, {}, scratch_.path("out")),
                                    export_samples(store, {}, "", "", samples)}) {
            ASSERT_FALSE(refused) << option;
            EXPECT_NE(refused.error().message.find(option), std::string::npos)
                << refused.error().message;
        }
        EXPECT_TRUE(std::filesystem::is_empty(scratch_.path("out")));
        EXPECT_FALSE(std::filesystem::exists(samples));
    }
    TuningRecord later = example_record(5);
    later.environment.driver = "580.65";
    ASSERT_TRUE(store_.add(later).value());
    ASSERT_TRUE(export_measurements(store_, {.driver = "580.65"}, scratch_.path("out")));
    EXPECT_EQ(Replay::open(scratch_.path("out/NVIDIA_H200.jsonl"))->size(), 1U);
}

TEST_F(ExportedRecords, AreSamplesOfAllVersionsOfThePluginThatMadeThem) {
    TuningRecord later = record_with_features(7);
    later.environment.plugin = "0.2.0";
    TuningRecord left_out = example_record(8);
    left_out.environment.plugin = "0.3.0";
    ASSERT_TRUE(store_.add(later).value());
    ASSERT_TRUE(store_.add(left_out).value());
    const std::string path = scratch_.path("out.samples");
    EXPECT_EQ(export_samples(store_, {}, "", "", path)->written, 2);
    EXPECT_EQ(read_samples(path)->origin.plugin, "0.1.0, 0.2.0");
}

TEST_F(ExportedRecords, CanBeTrainedFrom) {
    const std::string path = scratch_.path("out.samples");
    const ExportCounts counts = *export_samples(store_, {}, "", "records export", path);
    EXPECT_EQ(counts.written, 1);
    EXPECT_EQ(counts.left_out, 1);
    const SampleFile file = *read_samples(path);
    EXPECT_EQ(file.origin.device, "NVIDIA H200");
    EXPECT_EQ(file.origin.gpu.name, "H200");
    EXPECT_EQ(file.origin.command, "records export");
    ASSERT_EQ(file.samples.size(), 1U);
    EXPECT_EQ(file.samples[0].pipeline, "app:harris");
    EXPECT_EQ(file.samples[0].code_hash, 1U);
    EXPECT_EQ(file.samples[0].times_ms, (std::vector<double>{2, 4, 1, 2}));
    EXPECT_EQ(file.samples[0].kernels.size(), 1U);
}

TEST_F(ExportedRecords, AreSamplesOfTheirWholeSize) {
    TuningRecord record = record_with_features(7);
    record.pipeline.size = "width=640 height=480";  // a generator of the user's own
    ASSERT_TRUE(store_.add(record).value());
    const std::string path = scratch_.path("out.samples");
    ASSERT_TRUE(export_samples(store_, {}, "", "", path));
    EXPECT_EQ(size_of_schedule(read_samples(path)->samples[1].schedule), "width=640,height=480");
}

TEST_F(ExportedRecords, AreSamplesOfOneDeviceThatIsKnown) {
    add_of_another_device();
    const std::string path = scratch_.path("out.samples");
    EXPECT_FALSE(export_samples(store_, {}, "", "", path));
    EXPECT_FALSE(export_samples(store_, {.device = "NVIDIA H200"}, "H9000", "", path));
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_TRUE(export_samples(store_, {.device = "NVIDIA H200"}, "A100", "", path));
    EXPECT_EQ(read_samples(path)->origin.gpu.name, "A100");
}

// Else they are there twice after a call that is right.
TEST_F(ExportedRecords, AreNoneOfThemWrittenWhereOneIsOfAnotherDeviceOrGpu) {
    for (uint64_t code_hash = 100; code_hash < 1200; ++code_hash) {
        ASSERT_TRUE(store_.add(record_with_features(code_hash)).value());
    }
    TuningRecord other_gpu = example_record(6);
    other_gpu.environment.gpu = "A100";
    ASSERT_TRUE(store_.add(other_gpu).value());
    const std::string path = scratch_.path("out.samples");
    EXPECT_FALSE(export_samples(store_, {}, "", "", path));
    EXPECT_FALSE(std::filesystem::exists(path));
    add_of_another_device();
    EXPECT_FALSE(export_samples(store_, {}, "H200", "", path));
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_TRUE(export_samples(store_, {.device = "NVIDIA H200"}, "H200", "", path));
    EXPECT_EQ(read_samples(path)->samples.size(), 1101U);
}

}  // namespace
}  // namespace autoschedule_gpu
