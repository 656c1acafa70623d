#include "lab/build/constraints.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

Launch launch(std::array<int64_t, 3> threads, std::array<int64_t, 3> blocks,
              std::optional<int64_t> shared_bytes = {}) {
    return {.kernel = "k", .shared_bytes = shared_bytes, .threads = threads, .blocks = blocks};
}

TEST(BrokenLimits, AreFoundOneByOne) {
    struct Case {
        Launch launch;
        std::string expected;  // empty: none
    };
    const std::vector<Case> cases = {
        {launch({32, 32, 1}, {10, 10, 10}, 49152), ""},
        {launch({1024, 1, 1}, {2147483647, 65535, 65535}), ""},
        {launch({33, 32, 1}, {1, 1, 1}),
         "the kernel k has 1056 threads in a block, A100 takes 1024"},
        {launch({1, 1, 65}, {1, 1, 1}),
         "the kernel k has 65 threads in dimension z of a block, A100 takes 64"},
        {launch({8, 8, 1}, {1, 65536, 1}),
         "the kernel k has 65536 blocks in dimension y, A100 takes 65535"},
        {launch({8, 8, 1}, {1, 1, 70000}),
         "the kernel k has 70000 blocks in dimension z, A100 takes 65535"},
        {launch({8, 8, 1}, {1, 1, 1}, 49153),
         "the kernel k has 49153 bytes of shared memory, A100 takes 49152"}};
    const GpuModel model = find_preset("A100").value();
    for (const Case &c : cases) {
        const std::vector<std::string> broken = broken_limits({c.launch}, model);
        if (c.expected.empty()) {
            EXPECT_TRUE(broken.empty()) << broken.front();
        } else {
            ASSERT_EQ(broken.size(), 1u) << c.expected;
            EXPECT_EQ(broken[0], c.expected);
        }
    }
}

TEST(BrokenLimits, OfAllLaunchesAreTold) {
    const GpuModel model = find_preset("A100").value();
    EXPECT_EQ(broken_limits({launch({2048, 1, 100}, {1, 1, 1}), launch({1, 1, 1}, {1, 1, 1}),
                             launch({1, 1, 1}, {1, 1, 1}, 1 << 20)},
                            model)
                  .size(),
              4u);
}

TEST(BrokenLimits, DoNotIncludeWhatIsUnsaid) {
    EXPECT_TRUE(broken_limits({launch({0, 0, 0}, {0, 0, 0}), launch({1024, 0, 1}, {0, 1, 1})},
                              find_preset("V100").value())
                    .empty());
}

TEST(BrokenLimits, SurviveAbsurdSizes) {
    const int64_t huge = INT64_MAX;
    EXPECT_FALSE(broken_limits({launch({huge, huge, huge}, {huge, huge, huge}, huge)},
                               find_preset("H100").value())
                     .empty());
}

}  // namespace
}  // namespace autoschedule_gpu
