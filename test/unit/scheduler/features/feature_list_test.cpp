#include "scheduler/features/feature_list.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace autoschedule_gpu {
namespace {

template <typename List>
void expect_documented(const List &list, std::set<std::string_view> &names) {
    const std::set<std::string_view> groups = {"algorithm", "arithmetic",    "atomic",
                                               "footprint", "global_memory", "occupancy",
                                               "register",  "parallelism",   "shared_memory"};
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
    expect_documented(algorithm_feature_list(), names);
    EXPECT_EQ(names.size(), kernel_feature_list().size() + stage_feature_list().size() +
                                algorithm_feature_list().size());
}

// Those of Anderson 2021, Appendix A, by its names.
TEST(FeatureLists, HaveAllOfThePaper) {
    std::set<std::string> paper = {"num_scalars",
                                   "points_computed_per_thread",
                                   "num_blocks",
                                   "num_warps_per_block",
                                   "num_active_warps_per_block",
                                   "num_threads_per_block",
                                   "expr_branching",
                                   "block_occupancy",
                                   "warp_lane_utilization",
                                   "idle_lane_wastage",
                                   "working_set_at_thread",
                                   "shared_mem_occupancy",
                                   "shared_mem_block_limit_factor",
                                   "max_warp_occupancy",
                                   "max_block_occupancy"};
    for (const std::string memory : {"global", "shared", "register"}) {
        for (const std::string what : {"bytes", "lines"}) {
            for (const std::string of : {"realization", "thread"}) {
                paper.insert("unique_" + memory + "_" + what + "_read_per_" + of);
            }
        }
        paper.insert(memory + "_allocation_bytes_read_per_realization");
        paper.insert(memory + "_bytes_at_task");
        paper.insert(memory + "_innermost_bytes_at_task");
    }
    for (const std::string memory : {"global", "shared"}) {
        paper.insert("num_" + memory + "_mem_loads_per_block");
        paper.insert("num_" + memory + "_mem_stores_per_block");
        paper.insert(memory + "_mem_load_efficiency");
        paper.insert(memory + "_mem_store_efficiency");
    }
    EXPECT_EQ(paper.size(), 44u);
    for (const auto list : {kernel_feature_list(), stage_feature_list()}) {
        for (const FeatureInfo &info : list) paper.erase(std::string(info.name));
    }
    EXPECT_EQ(paper, std::set<std::string>{});
}

// The hash is what stands in the files of weights/data.
TEST(FeatureLists, KnowTheEarlierListByItsHash) {
    ASSERT_EQ(std::size(api::kEarlierFeatureCounts), 1u);
    EXPECT_EQ(feature_schema_hash(api::kEarlierFeatureCounts[0]), 0xf0b08de2753f0752);
}

TEST(FeatureLists, GrowAtTheirEnds) {
    std::set<uint64_t> schemas = {feature_schema_hash()};
    for (const FeatureCounts &earlier : api::kEarlierFeatureCounts) {
        EXPECT_LE(earlier.kernel, kernel_feature_list().size());
        EXPECT_LE(earlier.stage, stage_feature_list().size());
        EXPECT_LE(earlier.algorithm, algorithm_feature_list().size());
        EXPECT_TRUE(schemas.insert(feature_schema_hash(earlier)).second) << "there twice";
    }
}

TEST(FeatureLists, ReadAndWriteTheFieldsInTheirOrder) {
    KernelFeatures kernel;
    kernel.num_blocks = 7;
    set_kernel_feature(kernel, kernel_feature_list().size() - 1, 2);
    EXPECT_EQ(kernel_feature(kernel, 0), 7);
    EXPECT_EQ(kernel.dram_bytes_written, 2);
    StageFeatures stage;
    stage.num_scalars = 3;
    set_stage_feature(stage, stage_feature_list().size() - 1, 5);
    EXPECT_EQ(stage_feature(stage, 0), 3);
    EXPECT_EQ(stage.global_store_wavefronts_per_block, 5);
    set_algorithm_feature(stage.algorithm, 1, 9);
    EXPECT_EQ(stage.algorithm.ops_mul, 9);
    EXPECT_EQ(algorithm_feature(stage.algorithm, 1), 9);
    EXPECT_THROW(kernel_feature(kernel, kernel_feature_list().size()), std::out_of_range);
    EXPECT_THROW(stage_feature(stage, stage_feature_list().size()), std::out_of_range);
    EXPECT_THROW(set_algorithm_feature(stage.algorithm, algorithm_feature_list().size(), 0),
                 std::out_of_range);
}

}  // namespace
}  // namespace autoschedule_gpu
