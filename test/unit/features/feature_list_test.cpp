#include "features/feature_list.h"

#include <gtest/gtest.h>

#include <set>

namespace autoschedule_gpu {
namespace {

template <typename List>
void expect_documented(const List &list, std::set<std::string_view> &names) {
    const std::set<std::string_view> groups = {"arithmetic",  "atomics",   "global memory",
                                               "parallelism", "registers", "shared memory"};
    for (const FeatureInfo &info : list) {
        EXPECT_TRUE(names.insert(info.name).second) << info.name << " is there twice";
        EXPECT_FALSE(info.unit.empty()) << info.name;
        EXPECT_TRUE(groups.contains(info.group)) << info.name << " is in group " << info.group;
        EXPECT_FALSE(info.meaning.empty()) << info.name;
    }
}

TEST(FeatureLists, NameEachFeatureOnceWithUnitGroupAndMeaning) {
    std::set<std::string_view> names;
    expect_documented(kernel_feature_list(), names);
    expect_documented(stage_feature_list(), names);
    EXPECT_EQ(names.size(), kernel_feature_list().size() + stage_feature_list().size());
}

TEST(FeatureLists, ReadTheFieldsInTheirOrder) {
    KernelFeatures kernel;
    kernel.num_blocks = 7;
    kernel.on_host = 1;
    EXPECT_EQ(kernel_feature(kernel, 0), 7);
    EXPECT_EQ(kernel_feature(kernel, kernel_feature_list().size() - 1), 1);
    StageFeatures stage;
    stage.num_scalars = 3;
    stage.serial_iterations = 5;
    EXPECT_EQ(stage_feature(stage, 0), 3);
    EXPECT_EQ(stage_feature(stage, stage_feature_list().size() - 1), 5);
    EXPECT_THROW(stage_feature(stage, stage_feature_list().size()), std::out_of_range);
}

}  // namespace
}  // namespace autoschedule_gpu
