// Groups of features are functions of a kernel's facts alone.
#include "scheduler/features/feature_groups.h"

#include <algorithm>
#include <set>

#include "unit/scheduler/features/features_of.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

using Groups = std::vector<FeatureGroup>;

// A kernel of each kind: alone, with Funcs in blocks, in threads and inlined, with a loop between
// blocks and threads, with atomic operations, with an array that loops index.
class FeatureGroupsTest : public testing::Test {
protected:
    struct Example {
        Dag dag;
        KernelPtr kernel;
    };

    FeatureGroupsTest() {
        add(copy(512, 256), "kernel out\n  out threads x=32 y=8\n");
        add(two_stencils(512, 256), "kernel f1\n  f0 threads x=34 y=10\n  f1 threads x=32 y=8\n");
        add(stencil_chain(3, 512, 256),
            "kernel f2\n  f1 threads x=34 y=10\n    f0 serial x=3 y=3\n    f1 serial\n"
            "  f2 threads x=32 y=8\n");
        add(stencil_chain(3, 512, 256), "inline: f0 f1\nkernel f2\n  f2 threads x=32 y=8\n");
        add(shifted_patches(512, 256),
            "kernel out\n"
            "  total threads x=32 y=8\n"
            "  diff threads x=34 y=8 in total.update(0)\n"
            "  patch threads x=32 y=8 in total.update(0)\n"
            "  total.update(0) threads x=32 y=8 in loop\n"
            "  out threads x=32 y=8\n");
        add(row_sums(128, 64),
            "kernel out\n  out threads y=32\n"
            "kernel rows\n  rows threads y=32\n"
            "kernel rows.update(0) blocks c=2 y=64\n"
            "  rows.update(0) threads c=16\n"
            "    rows.update(0) serial c=4\n");
        add(two_stencils(512, 256),
            "kernel f1\n  f1 threads x=32 y=8\n"
            "    f0 serial x=3 y=3 unroll none\n    f1 serial\n");
    }

    void add(const Dag &dag, std::string_view text) {
        for (const KernelPtr &kernel : parsed(dag, text).kernels) {
            examples_.push_back({dag, kernel});
        }
    }

    FeatureTable extract(const Example &example, std::span<const FeatureGroup> groups) const {
        return FeatureExtractor(example.dag, gpu_).extract(*example.kernel, groups);
    }

    const GpuModel gpu_ = find_preset("a100").value();
    std::vector<Example> examples_;
};

TEST_F(FeatureGroupsTest, GiveTheSameTableInAnyOrder) {
    const std::span<const FeatureGroup> listed = feature_groups();
    for (const Example &example : examples_) {
        SCOPED_TRACE(to_text(example.dag, *example.kernel));
        const std::vector<double> expected = numbers(extract(example, listed));
        Groups order(listed.rbegin(), listed.rend());
        EXPECT_EQ(numbers(extract(example, order)), expected);
        for (size_t first = 1; first < listed.size(); ++first) {
            order.assign(listed.begin(), listed.end());
            std::ranges::rotate(order, order.begin() + static_cast<std::ptrdiff_t>(first));
            EXPECT_EQ(numbers(extract(example, order)), expected) << order.front().name << " first";
        }
    }
}

// Feature by feature, what a table with one group only should have.
void expect_only(std::string_view group, const FeatureInfo &feature, double all, double alone) {
    EXPECT_EQ(alone, feature.group == group ? all : 0) << group << ", " << feature.name;
}

TEST_F(FeatureGroupsTest, WriteWhatTheListHasUnderTheirNamesAndNothingElse) {
    for (const Example &example : examples_) {
        SCOPED_TRACE(to_text(example.dag, *example.kernel));
        const FeatureTable all = extract(example, feature_groups());
        for (const FeatureGroup &group : feature_groups()) {
            const FeatureTable alone = extract(example, {&group, 1});
            const auto kernel = kernel_feature_list();
            for (size_t i = 0; i < kernel.size(); ++i) {
                expect_only(group.name, kernel[i], kernel_feature(all.kernel, i),
                            kernel_feature(alone.kernel, i));
            }
            ASSERT_EQ(alone.stages.size(), all.stages.size());
            for (size_t s = 0; s < all.stages.size(); ++s) {
                const auto stage = stage_feature_list(), algorithm = algorithm_feature_list();
                for (size_t i = 0; i < stage.size(); ++i) {
                    expect_only(group.name, stage[i], stage_feature(all.stages[s], i),
                                stage_feature(alone.stages[s], i));
                }
                for (size_t i = 0; i < algorithm.size(); ++i) {
                    expect_only(group.name, algorithm[i],
                                algorithm_feature(all.stages[s].algorithm, i),
                                algorithm_feature(alone.stages[s].algorithm, i));
                }
            }
        }
    }
}

TEST(FeatureGroups, AreThoseOfTheList) {
    std::set<std::string_view> of_features, of_groups;
    for (const auto list :
         {kernel_feature_list(), stage_feature_list(), algorithm_feature_list()}) {
        for (const FeatureInfo &feature : list) of_features.insert(feature.group);
    }
    for (const FeatureGroup &group : feature_groups()) {
        EXPECT_TRUE(of_groups.insert(group.name).second) << group.name;
    }
    EXPECT_EQ(of_groups, of_features);
}

}  // namespace
}  // namespace autoschedule_gpu
