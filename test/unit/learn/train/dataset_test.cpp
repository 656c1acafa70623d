#include "learn/train/dataset.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "scheduler/model/make_cost_model.h"
#include "unit/learn/train/synthetic_samples.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

// One pipeline "p" with one schedule whose kernels are those of `like`.
SampleFile one_sample(const SampleFile &like, std::vector<double> times_ms) {
    SampleFile file;
    file.origin = like.origin;
    file.samples = {{.pipeline = "p",
                     .schedule = "s",
                     .code_hash = 5,
                     .kernels = like.samples[0].kernels,
                     .times_ms = times_ms}};
    return file;
}

class DatasetTest : public testing::Test {
protected:
    DatasetTest()
        : folder_(fs::temp_directory_path() /
                  ("dataset_test" +
                   std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
                   testing::UnitTest::GetInstance()->current_test_info()->name())) {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~DatasetTest() override { fs::remove_all(folder_); }

    std::string write(const std::string &name, const SampleFile &file) {
        const std::string path = (folder_ / name).string();
        EXPECT_TRUE(append_samples(path, file.origin, file.samples).ok());
        return path;
    }

    const SampleFile some_ = synthetic::samples({.pipelines = 3, .schedules = 4});
    fs::path folder_;
};

TEST_F(DatasetTest, GroupsByPipeline) {
    const Dataset dataset = make_dataset(std::vector<NamedSampleFile>{{"a", some_}}).value();
    EXPECT_EQ(dataset.schedules, 12);
    ASSERT_EQ(dataset.pipelines.size(), 3);
    EXPECT_EQ(dataset.pipelines[2].name, "synthetic:1.2");
    size_t rows = 0;
    for (const FeatureTable &kernel : some_.samples[9].kernels) rows += kernel.stages.size();
    const PipelineSamples &last = dataset.pipelines[2];
    EXPECT_EQ(last.schedules(), 4);
    EXPECT_EQ(last.row_ends[1] - last.first_row(1), rows);
    EXPECT_EQ(last.row_ends[3], last.inputs.rows());
    EXPECT_DOUBLE_EQ(last.times_ns[1], 1e6 * some_.samples[9].times_ms[1]);
}

TEST_F(DatasetTest, MergesDuplicatesAndTakesTheMedianOfAllRuns) {
    const std::vector<NamedSampleFile> files = {{"a", one_sample(some_, {1, 9})},
                                                {"b", one_sample(some_, {2})}};
    const Dataset dataset = make_dataset(files).value();
    EXPECT_EQ(dataset.samples, 2);
    EXPECT_EQ(dataset.schedules, 1);
    EXPECT_EQ(dataset.pipelines[0].times_ns, std::vector<double>({2e6}));
}

// A search never chooses between sizes: more points take longer, and that is no merit of a
// schedule.
TEST_F(DatasetTest, KeepsSizesOfOnePipelineApart) {
    SampleFile sizes = one_sample(some_, {1});
    sizes.samples.push_back(sizes.samples[0]);
    sizes.samples[0].schedule = "size=small sampler=mixed";
    sizes.samples[1].schedule = "size=full sampler=mixed";
    SampleFile other = one_sample(some_, {1});
    other.samples[0].pipeline = "q";
    const Dataset dataset =
        make_dataset(std::vector<NamedSampleFile>{{"a", sizes}, {"b", other}}).value();
    EXPECT_EQ(dataset.schedules, 3);
    ASSERT_EQ(dataset.pipelines.size(), 3);
    EXPECT_EQ(dataset.pipelines[0].name, "p");
    EXPECT_EQ(dataset.pipelines[0].size, "full");
    EXPECT_EQ(dataset.pipelines[1].name, "p");
    EXPECT_EQ(dataset.pipelines[1].size, "small");
    EXPECT_EQ(dataset.pipelines[2].size, "");
    EXPECT_EQ(dataset.pipeline_names(), (std::vector<std::string>{"p", "q"}));
    EXPECT_EQ(dataset.by_name(), (std::vector<std::vector<size_t>>{{0, 1}, {2}}));
}

TEST_F(DatasetTest, KeepsEqualFeaturesOfOtherCodeApart) {
    SampleFile other = one_sample(some_, {2});
    other.samples[0].code_hash = 6;
    const std::vector<NamedSampleFile> files = {{"a", one_sample(some_, {1})}, {"b", other}};
    EXPECT_EQ(make_dataset(files)->schedules, 2);
}

TEST_F(DatasetTest, KnowsWhatTheOtherModelsSay) {
    const Dataset dataset = make_dataset(std::vector<NamedSampleFile>{{"a", some_}}).value();
    for (size_t i = 0; i < kBaselines.size(); ++i) {
        const std::vector<FeatureTable> &kernels = some_.samples[0].kernels;
        std::vector<double> costs(kernels.size());
        const ModelChoice choice{.kind = kBaselines[i].kind, .weights = nullptr};
        make_cost_model(choice, some_.origin.gpu)->estimate(kernels, costs);
        double sum = 0;
        for (const double cost : costs) sum += cost;
        EXPECT_DOUBLE_EQ(dataset.pipelines[0].baseline_ns[i][0], sum);
    }
}

TEST_F(DatasetTest, RefusesASecondDeviceByFileAndRecord) {
    SampleFile other = some_;
    other.origin.device = "another";
    const auto dataset =
        make_dataset(std::vector<NamedSampleFile>{{"a.samples", some_}, {"b.samples", other}});
    ASSERT_FALSE(dataset.ok());
    EXPECT_NE(dataset.error().message.find("b.samples: record 0: expected samples of the device "
                                           "'synthetic A', found some of 'another'"),
              std::string::npos)
        << dataset.error().message;
}

TEST_F(DatasetTest, RefusesASecondGpuModelOfTheSameDevice) {
    SampleFile other = some_;
    other.origin.gpu.sm_count = 7;
    const auto dataset =
        make_dataset(std::vector<NamedSampleFile>{{"a.samples", some_}, {"b.samples", other}});
    ASSERT_FALSE(dataset.ok());
    EXPECT_NE(dataset.error().message.find("sm_count 108, found some for 7"), std::string::npos)
        << dataset.error().message;
}

TEST_F(DatasetTest, ReadsTheSamplesOfAFolderAndNothingElse) {
    write("b.samples", one_sample(some_, {1}));
    write("a.samples", some_);
    write("notes.txt", one_sample(some_, {1}));
    const Dataset dataset = read_dataset(std::vector{folder_.string()}).value();
    EXPECT_EQ(dataset.files, 2);
    EXPECT_EQ(dataset.samples, 13);
}

TEST_F(DatasetTest, NamesAFileWhoseLastRecordIsTorn) {
    const std::string path = write("a.samples", some_);
    fs::resize_file(path, fs::file_size(path) - 3);
    const Dataset dataset = read_dataset(std::vector{path}).value();
    EXPECT_EQ(dataset.torn_files, std::vector{path});
    EXPECT_EQ(dataset.samples, 11);
}

// As a writer leaves it that is killed while it begins the file.
TEST_F(DatasetTest, NamesAFileWhoseFirstRecordIsTorn) {
    const std::string whole = write("a.samples", some_), torn = write("b.samples", some_);
    const std::vector both{torn, whole};
    for (const uintmax_t size : {40, 4, 0}) {
        fs::resize_file(torn, size);
        const Result<Dataset> dataset = read_dataset(both);
        ASSERT_TRUE(dataset.ok()) << size << ": " << dataset.error().message;
        EXPECT_EQ(dataset->torn_files, std::vector{torn}) << size;
        EXPECT_EQ(dataset->files, 1);
        EXPECT_EQ(dataset->samples, 12);
        const Result<Dataset> alone = read_dataset(std::vector{torn});
        ASSERT_FALSE(alone.ok()) << size;
        EXPECT_NE(alone.error().message.find("b.samples: its first record is cut short"),
                  std::string::npos)
            << alone.error().message;
    }
}

TEST_F(DatasetTest, RefusesWhatIsNotThere) {
    EXPECT_FALSE(read_dataset(std::vector{(folder_ / "none").string()}).ok());
    const auto empty = read_dataset(std::vector{folder_.string()});
    ASSERT_FALSE(empty.ok());
    EXPECT_NE(empty.error().message.find("NAME.samples"), std::string::npos);
}

}  // namespace
}  // namespace autoschedule_gpu
