#include "tune/strategies/measured_dataset.h"

#include <gtest/gtest.h>

#include "fake_session.h"
#include "tune/strategies/listed_decisions.h"
#include "unit/learn/train/synthetic_samples.h"

namespace autoschedule_gpu {
namespace {

TEST(MeasuredDataset, IsOnePipelineAtOneSizeHoweverItsSchedulesWereDrawn) {
    FakeSession fake({1}, 64, [](const FakeExecutor::Point &p) { return p[0] == 2 ? -1 : p[0]; });
    fake.executor.kernels =
        synthetic::samples({.pipelines = 1, .schedules = 1}).samples.front().kernels;
    const auto list = [](const std::string &size) {
        return R"({"decisions": [{"value": )" + size + "}]}";
    };
    const ScheduleRequest draws[] = {
        default_request(),
        request_of_decisions(list("2")),  // fails
        {.schedule = "size=full strategy=sampled seed=1", .files = {{"decisions", list("4")}}},
        {.schedule = "record 00c0ffee00c0ffee", .files = {{"decisions", list("8")}}},
        request_of_decisions(list("16"))};
    ASSERT_TRUE(fake.session.attempt(draws));
    const Result<Dataset> dataset = measured_dataset(fake.session);
    ASSERT_TRUE(dataset) << dataset.error().message;
    EXPECT_EQ(dataset->schedules, 4u);
    ASSERT_EQ(dataset->pipelines.size(), 1u);
    EXPECT_EQ(dataset->pipelines.front().name, "app:fake");
    EXPECT_EQ(dataset->pipelines.front().size, "full");
}

}  // namespace
}  // namespace autoschedule_gpu
