#include "scheduler/factors/factoring.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/gpu/gpu_model.h"
#include "unit/scheduler/factors/reductions.h"

namespace autoschedule_gpu {
namespace {

using namespace test;

// Texts of the choices of the only reduction; empty if there is none.
std::vector<std::string> choices(const Dag &dag) {
    const std::vector<Factorable> found = factorable_reductions(dag, *find_preset("H100"));
    std::vector<std::string> texts;
    if (found.empty()) return texts;
    EXPECT_EQ(found.size(), 1u);
    for (const Factoring &choice : found[0].choices) texts.push_back(to_string(choice));
    return texts;
}

bool has(const std::vector<std::string> &texts, const std::string &text) {
    return std::ranges::find(texts, text) != texts.end();
}

TEST(Factoring, IsReadBackFromItsText) {
    for (const char *text : {"none", "1", "32", "7", "256x32", "64x1", "1x32"}) {
        const auto factoring = parse_factoring(text);
        ASSERT_TRUE(factoring) << text;
        EXPECT_EQ(to_string(*factoring), text);
    }
}

TEST(Factoring, IsNotReadFromOtherText) {
    for (const char *text : {"", "0", "-2", "x", "32x", "x32", "32x0", "32 x 8", "32x8x2", "None",
                             "99999999999", "32x9999999"}) {
        EXPECT_FALSE(parse_factoring(text)) << text;
    }
}

TEST(FactorableReductions, OfASingleValueIsTakenApartInChunks) {
    const std::vector<std::string> texts = choices(full_sum(10'000'000));
    ASSERT_FALSE(texts.empty());
    EXPECT_EQ(texts[0], "none");
    EXPECT_TRUE(has(texts, "256x32"));
    EXPECT_FALSE(has(texts, "256")) << "a lane would add up 39063 values";
}

TEST(FactorableReductions, OfManyRowsHasLanesForEach) {
    const std::vector<std::string> texts = choices(row_sums(1024, 4096));
    EXPECT_TRUE(has(texts, "32"));
    EXPECT_TRUE(has(texts, "256"));
    EXPECT_FALSE(has(texts, "256x32")) << "there are blocks enough";
}

TEST(FactorableReductions, OfRowsInOrderMayHavePanels) {
    const std::vector<std::string> texts = choices(row_sums(4096, 4096, Partials::in_order));
    for (const char *panels : {"32x4", "64x4", "256x4"}) EXPECT_TRUE(has(texts, panels)) << panels;
    EXPECT_FALSE(has(texts, "32x8")) << "a lane would be 32 bytes from the next";
    EXPECT_FALSE(has(choices(row_sums(4096, 4096)), "32x4")) << "lanes may read side by side";
    EXPECT_FALSE(has(choices(row_sums(1024, 4096, Partials::in_order)), "256x4")) << "one panel";
    EXPECT_FALSE(has(choices(row_sums(4096, 100, Partials::in_order)), "32x4"))
        << "rows are fewer than blocks that the device wants";
}

TEST(FactorableReductions, OfRowsIsReadAcrossEvenWhereThereAreEnough) {
    EXPECT_FALSE(choices(row_sums(1024, 1'000'000)).empty());
    EXPECT_FALSE(has(choices(column_sums(1'000'000, 1024)), "32"));
}

// A compiler that can't tell the rows of a buffer apart stores a sum in each iteration.
TEST(FactorableReductions, OfWhatIsInMemoryMayBeALanesOwn) {
    using Texts = std::vector<std::string>;
    EXPECT_EQ(choices(column_sums(1'000'000, 1024)), (Texts{"none", "1"}));
    EXPECT_FALSE(has(choices(column_sums(500, 20'000)), "1")) << "lanes would be idle";
    Dag elsewhere = column_sums(1'000'000, 1024);
    elsewhere.funcs[1].kind = Func::Kind::internal;
    EXPECT_TRUE(choices(elsewhere).empty()) << "it may be computed where it is read";
    elsewhere.funcs[1].ours = Func::Ours::loops;
    EXPECT_EQ(choices(elsewhere), (Texts{"none", "1"}));
}

// Its loops stay together, however short, and in their order.
TEST(FactorableReductions, OfWhatIsInMemoryMayBeShortAndInOrder) {
    using Texts = std::vector<std::string>;
    Dag cells = sums_of_cells(100'000, 3);
    EXPECT_EQ(choices(cells), (Texts{"none", "1"}));
    for (Stage &stage : cells.stages) stage.partials = Partials::in_order;
    EXPECT_EQ(choices(cells), (Texts{"none", "1"}));
    EXPECT_TRUE(choices(sums_of_cells(100'000, 1)).empty()) << "there is one iteration";
}

TEST(FactorableReductions, OfLongSumsMayHaveChunksOfThreads) {
    const std::vector<std::string> texts = choices(column_sums(16'384, 65'536));
    EXPECT_TRUE(has(texts, "1x2048"));
    EXPECT_FALSE(has(texts, "1x32")) << "33 million values would be stored in between";
    EXPECT_FALSE(has(choices(column_sums(1'000'000, 65'536)), "1x2048")) << "there are threads";
}

TEST(FactorableReductions, OfFewColumnsHasIdleLanes) {
    EXPECT_FALSE(choices(column_sums(500, 20'000)).empty());
}

TEST(FactorableReductions, OfShortLoopsHasALaneForEachIterationOfOne) {
    using Texts = std::vector<std::string>;
    EXPECT_EQ(choices(sums_of_cells(500, 16)), (Texts{"none", "16", "32", "64"}));
    EXPECT_TRUE(choices(sums_of_cells(500, 7)).empty()) << "49 iterations are over in no time";
    EXPECT_EQ(choices(sums_of_cells(100'000, 16)), (Texts{"none", "1"})) << "there are threads";
}

TEST(FactorableReductions, OfRowsSideBySideHasLanesAlongThemAll) {
    const std::vector<std::string> texts = choices(sums_of_tiles(2442, 16, 256));
    EXPECT_TRUE(has(texts, "256"));
    EXPECT_FALSE(has(choices(sums_of_tiles(2442, 16, 16)), "256")) << "one step would be left";
    EXPECT_FALSE(has(choices(sums_of_tiles(2442, 12, 256)), "256")) << "no whole rows fill a warp";
}

TEST(FactorableReductions, OfSmallPlanesHasLanesAlongWholeRows) {
    using Texts = std::vector<std::string>;
    EXPECT_EQ(choices(plane_sums({56, 56}, 1024)), (Texts{"none", "56", "224"}));
}

TEST(FactorableReductions, OfShortLoopsOnlyHasChunksOfTheOthers) {
    const std::vector<std::string> texts = choices(plane_sums({24, 24, 24, 24}, 1));
    EXPECT_TRUE(has(texts, "240x8"));
    EXPECT_TRUE(has(texts, "24x8"));
}

TEST(FactorableReductions, OfVeryLongSumsHasLongChunks) {
    const std::vector<std::string> texts = choices(plane_sums({1000, 700}, 400));
    EXPECT_TRUE(has(texts, "256")) << "blocks for each value keep the device busy";
    EXPECT_TRUE(has(texts, "64x512"));
    EXPECT_FALSE(has(choices(plane_sums({1000, 700}, 4)), "256"));
}

TEST(FactorableReductions, OfHistogramsHasFewParts) {
    using Texts = std::vector<std::string>;
    EXPECT_EQ(choices(sums_of_cells(500, 16, true)), (Texts{"none", "16", "1x32", "1x128"}));
    EXPECT_EQ(choices(sums_of_cells(50'000, 16, true)), (Texts{"none", "16"}))
        << "lanes of a short loop are enough";
    EXPECT_FALSE(choices(sums_of_cells(500, 64)).empty());
    EXPECT_EQ(choices(sums_of_cells(500, 64, true)),
              (Texts{"none", "1x32", "1x128", "1x512", "1x2048"}));
    EXPECT_TRUE(choices(sums_of_cells(500'000, 16, true)).empty()) << "there are threads";
}

TEST(FactorableReductions, OfClustersHasChunksOfThreadsWithAllOfThem) {
    using Texts = std::vector<std::string>;
    EXPECT_EQ(choices(sums_of_clusters(100'000, 16)),
              (Texts{"none", "1x32", "1x128", "1x512", "1x2048"}));
    EXPECT_EQ(choices(sums_of_clusters(100'000, 1000)), (Texts{"none", "1x2048"}))
        << "more values than there are iterations";
    EXPECT_TRUE(choices(sums_of_clusters(100'000, 100'000)).empty());
}

TEST(FactorableReductions, AreNotShort) {
    EXPECT_TRUE(choices(full_sum(63)).empty());
    EXPECT_FALSE(choices(full_sum(64)).empty());
}

TEST(FactorableReductions, HavePartialResultsThatCanBePutTogether) {
    EXPECT_TRUE(choices(full_sum(10'000'000, Partials::no)).empty());
    EXPECT_FALSE(choices(full_sum(10'000'000, Partials::in_order)).empty());
}

TEST(FactorableReductions, AreNotTheUsersOwn) {
    Dag scheduled = full_sum(10'000'000);
    scheduled.funcs[1].user_directives = {"compute_root"};
    EXPECT_TRUE(choices(scheduled).empty());
    Dag on_host = full_sum(10'000'000);
    on_host.funcs[1].host_reason = "is memoized";
    EXPECT_TRUE(choices(on_host).empty());
}

}  // namespace
}  // namespace autoschedule_gpu
