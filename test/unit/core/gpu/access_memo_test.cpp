#include "core/gpu/access_memo.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

const GpuModel &a100() {
    static const GpuModel model = find_preset("A100").value();
    return model;
}

void expect_as_computed(AccessMemo &memo, const WarpAccess &access) {
    const GlobalAccess &global = memo.global(access);
    const GlobalAccess computed = global_access(a100(), access);
    EXPECT_EQ(global.sectors, computed.sectors);
    EXPECT_EQ(global.lines, computed.lines);
    EXPECT_EQ(global.wavefronts, computed.wavefronts);
    EXPECT_EQ(global.efficiency, computed.efficiency);
    EXPECT_EQ(memo.shared(access).transactions, shared_access(a100(), access).transactions);
    EXPECT_EQ(memo.shared(access).used_bytes, shared_access(a100(), access).used_bytes);
}

// More of them than it has room for, each asked about twice.
TEST(AccessMemo, KnowsWhatIsComputed) {
    AccessMemo memo(a100());
    for (int round = 0; round < 2; ++round) {
        for (int64_t rows = 1; rows <= 40; ++rows) {
            for (int64_t words = 0; words < 40; ++words) {
                const auto stride = static_cast<double>(4 * words);
                expect_as_computed(memo,
                                   {.threads = {7, rows, 1}, .stride_bytes = {stride, 28, 0}});
            }
        }
    }
}

TEST(AccessMemo, TellsAccessesApartByEverythingThatMatters) {
    AccessMemo memo(a100());
    const WarpAccess access{.threads = {12, 8, 1}, .stride_bytes = {4, 60, 0}};
    std::vector<WarpAccess> others(7, access);
    others[1].element_bytes = 8;
    others[2].active_lanes = 20;
    others[3].alignment_bytes = 4;
    others[4].threads = {12, 1, 1};
    others[5].block = {{12, 8, 1}};
    others[6].stride_bytes = {kUnknownStride, 60, 0};
    for (const WarpAccess &other : others) expect_as_computed(memo, other);
    for (const WarpAccess &other : others) expect_as_computed(memo, other);
}

}  // namespace
}  // namespace autoschedule_gpu
