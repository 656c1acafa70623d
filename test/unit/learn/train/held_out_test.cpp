#include "learn/train/held_out.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

Dataset dataset_of(std::initializer_list<const char *> names) {
    Dataset dataset;
    for (const char *name : names) {
        PipelineSamples pipeline{.name = name, .inputs = NetworkInputs(GpuModel{})};
        pipeline.times_ns = {1000, 2000};
        dataset.pipelines.push_back(std::move(pipeline));
    }
    return dataset;
}

const Dataset kFive =
    dataset_of({"app:harris", "app:unsharp", "random:1", "random:10", "random:2"});

std::string error_of(const Dataset &dataset, std::vector<std::string> names) {
    const auto positions = held_out_positions(dataset, names);
    return positions ? "" : positions.error().message;
}

TEST(HeldOut, AreThoseNamedInTheOrderOfTheSamples) {
    const std::vector<std::string> names = {"random:1", "app:harris", "random:1"};
    EXPECT_EQ(held_out_positions(kFive, names).value(), (std::vector<size_t>{0, 2}));
    EXPECT_TRUE(held_out_positions(kFive, {}).value().empty());
}

TEST(HeldOut, MayBeAllOfOneBeginning) {
    EXPECT_EQ(held_out_positions(kFive, std::vector<std::string>{"app:*"}).value(),
              (std::vector<size_t>{0, 1}));
}

TEST(HeldOut, MustBeAmongTheSamples) {
    EXPECT_EQ(
        error_of(kFive, {"app:haris"}),
        "the samples have no pipeline app:haris; there are app:harris, app:unsharp, random:1, "
        "random:10, random:2");
    EXPECT_NE(error_of(kFive, {"app:x*"}).find("no pipeline app:x*"), std::string::npos);
}

TEST(HeldOut, LeaveTwoToTrainOn) {
    EXPECT_EQ(error_of(kFive, {"random:*"}), "");
    EXPECT_NE(error_of(kFive, {"random:*", "app:harris"}).find("found 1 that are not held out"),
              std::string::npos);
}

TEST(HeldOut, HaveEnoughSamplesToBeJudgedBy) {
    Dataset dataset = kFive;
    dataset.pipelines[0].times_ns = {1000, 1040};
    EXPECT_NE(error_of(dataset, {"app:harris"}).find("app:harris has too few samples"),
              std::string::npos);
    EXPECT_EQ(error_of(dataset, {"app:unsharp"}), "");
    // Together they have, and none of them is trained on.
    EXPECT_EQ(held_out_positions(dataset, std::vector<std::string>{"app:*"}).value(),
              (std::vector<size_t>{0, 1}));
    const Applications applications = applications_of(dataset);
    EXPECT_EQ(applications.judged, std::vector<std::string>{"app:unsharp"});
    ASSERT_EQ(applications.why_not_judged.size(), 1);
    EXPECT_EQ(applications.why_not_judged[0], error_of(dataset, {"app:harris"}));
    dataset.pipelines[1].times_ns = {1000};
    EXPECT_NE(error_of(dataset, {"app:*"}).find("app:* has too few samples"), std::string::npos);
}

TEST(HeldOut, AreAllSizesOfAPipeline) {
    Dataset sizes = dataset_of({"app:harris", "app:harris", "random:1", "random:1"});
    sizes.pipelines[0].times_ns = {1000};
    EXPECT_EQ(applications_of(sizes).judged, std::vector<std::string>{"app:harris"});
    EXPECT_NE(error_of(sizes, {"app:harris"}).find("found 1 that are not held out"),
              std::string::npos);
    sizes.pipelines.push_back(kFive.pipelines[4]);
    EXPECT_EQ(held_out_positions(sizes, std::vector<std::string>{"app:harris"}).value(),
              (std::vector<size_t>{0, 1}));
    // Times of different sizes are no pair.
    sizes.pipelines[1].times_ns = {2000};
    EXPECT_NE(error_of(sizes, {"app:harris"})
                  .find("of one size whose times differ by more than "
                        "5 %, found none among 2"),
              std::string::npos);
}

TEST(HeldOut, KnowsApplicationsByTheirNames) {
    EXPECT_EQ(applications_of(kFive).judged,
              (std::vector<std::string>{"app:harris", "app:unsharp"}));
}

}  // namespace
}  // namespace autoschedule_gpu
