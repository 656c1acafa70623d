#include "plugins/autoscheduler/records_warning.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

const RecordedFor kWanted = {.pipeline_hash = 1, .gpu = "A100"};

TEST(RecordsWarning, NamesTheDevicesThatThePipelineWasMeasuredFor) {
    EXPECT_EQ(no_record_warning("my.records", kWanted,
                                {{1, "app:harris", "reduced", "V100"},
                                 {1, "app:harris", "reduced", "H200"},
                                 {2, "app:harris", "tiny", "A100"}}),
              "autoscheduler.records: my.records has no schedule of this pipeline at this size for "
              "A100, but for H200, V100, which autoscheduler.gpu can name. One is searched for.");
}

TEST(RecordsWarning, NamesOtherPipelinesAndSizes) {
    std::set<RecordedFor> has = {{2, "app:harris", "tiny", "A100"}};
    const std::string begin =
        "autoscheduler.records: my.records has no schedule of this pipeline at this size for A100";
    EXPECT_EQ(no_record_warning("my.records", kWanted, has),
              begin +
                  ", but these, of other pipelines or sizes: app:harris tiny for A100. One is "
                  "searched for.");
    for (const char *size : {"a", "b", "c", "d", "e"}) has.insert({3, "app:harris", size, "A100"});
    EXPECT_NE(no_record_warning("my.records", kWanted, has).find(" and 2 more. "),
              std::string::npos);
    EXPECT_EQ(no_record_warning("my.records", kWanted, {}), begin + ". One is searched for.");
}

TEST(RecordsWarning, SaysWhyTheLastCannotBeUsed) {
    EXPECT_EQ(unusable_records_warning("my.records", 3, "not a trace\nat all"),
              "autoscheduler.records: no schedule of this pipeline in my.records can be used, so "
              "one is searched for (3 were refused). The last was refused because: not a trace "
              "[...]");
}

}  // namespace
}  // namespace autoschedule_gpu
