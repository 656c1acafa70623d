#include "scheduler/space/chunk_tilings.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/example_dags.h"
#include "unit/scheduler/space/walk.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

// `out` reads of `chunks` one point for so many iterations of x.
Dag chunked(int64_t chunk, int64_t width) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), chunks = b.func("chunks", {"c"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, 3}});
    b.reads(chunks, in, {at(0)}).reads(out, chunks, {half(0)});
    Dag dag = b.build();
    dag.stages[find_stage(dag, "out").index()].loads[0].access.at(0, 0) = {1.0 / double(chunk)};
    return dag;
}

std::vector<Tiling> tilings_of_out(const Dag &dag, const RuleBook &rules = RuleBook()) {
    RuleCounts counts;
    return whole_chunk_tilings(dag, kGpu, rules, find_stage(dag, "out"), counts);
}

TEST(ChunkTilings, HaveTheIterationsThatReadTheSame) {
    const auto spread = [](int64_t serial, int64_t threads) {
        return Tiling{{serial, threads, false, Rest::spread}, {1, 1}};
    };
    EXPECT_EQ(tilings_of_out(chunked(4096, 10'000'001)), (std::vector<Tiling>{{{16, 256}, {1, 1}},
                                                                              spread(16, 256),
                                                                              {{8, 512}, {1, 1}},
                                                                              spread(8, 512),
                                                                              {{4, 1024}, {1, 1}},
                                                                              spread(4, 1024)}));
    // Three rounds of 256 threads; of 512 they would not come out even.
    EXPECT_EQ(tilings_of_out(chunked(768, 10'000'001)),
              (std::vector<Tiling>{{{3, 256}, {1, 1}}, spread(3, 256)}));
}

TEST(ChunkTilings, AreNoneForChunksThatOtherTilesHave) {
    EXPECT_TRUE(tilings_of_out(chunked(512, 10'000'001)).empty());
    EXPECT_TRUE(tilings_of_out(chunked(1, 10'000'001)).empty());
    EXPECT_TRUE(tilings_of_out(chunked(600, 10'000'001)).empty());
}

TEST(ChunkTilings, AreNoneThatLeaveSmsIdle) {
    EXPECT_FALSE(tilings_of_out(chunked(1024, 1024 * kGpu.sm_count)).empty());
    EXPECT_TRUE(tilings_of_out(chunked(1024, 1024 * kGpu.sm_count / 8)).empty());
}

TEST(ChunkTilings, AreNoneThatARuleForbids) {
    EXPECT_EQ(tilings_of_out(chunked(1 << 15, 100'000'000)).size(), 2u);  // 32 points a thread
    EXPECT_TRUE(tilings_of_out(chunked(1 << 16, 100'000'000)).empty());
    RuleBook rules;
    rules.switch_on(*rules.find("whole_rows"));
    const std::vector<Tiling> tilings = tilings_of_out(chunked(4096, 10'000'001), rules);
    EXPECT_EQ(tilings.size(), 3u);
    EXPECT_EQ(std::ranges::count_if(tilings, has_spread_points), 0);
}

}  // namespace
}  // namespace autoschedule_gpu
