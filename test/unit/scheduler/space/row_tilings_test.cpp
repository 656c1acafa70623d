#include "scheduler/space/row_tilings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "unit/example_dags.h"
#include "unit/scheduler/space/walk.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

// The sum of each row, and what `out` makes of it and the row's points.
Dag rows_with_sum(bool is_shared) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), sum = b.func("sum", {"y"});
    const FuncId out = b.output("out", {{"x", 0, 999}, {"y", 0, 4095}});
    const StageId update = b.update(sum, {b.over(0, "y"), b.reduction("r", 0, 999)}, {at(0)});
    b.reads(update, sum, {at(0)}).reads(update, in, {at(1), at(0)});
    b.reads(out, in, {at(0), at(1)}).reads(out, sum, {at(is_shared ? 1 : 0)});
    return b.build();
}

std::vector<Tiling> tilings_of_rows(const Dag &dag, const RuleBook &rules = RuleBook()) {
    RuleCounts counts;
    return whole_row_tilings(dag, kGpu, rules, find_stage(dag, "out"), counts);
}

TEST(RowTilings, WalkALoopAlongWhichAnOutcomeIsShared) {
    const std::vector<Tiling> tilings = tilings_of_rows(rows_with_sum(true));
    // 32 to 256 threads along 1, 2, 4 or 8 rows, but for the 2,048 that no block may have.
    EXPECT_EQ(std::ranges::count_if(tilings, has_whole_rows), 15);
    for (const Tiling &tiling : tilings) {
        if (!has_whole_rows(tiling)) continue;
        EXPECT_EQ(tiling[0].rest, Rest::threads);
        EXPECT_LE(2 * tiling[0].threads, 1000);
        EXPECT_EQ(tiling[0].serial * tiling[1].serial, 1);
    }
}

TEST(RowTilings, AreOfFewPointsWhereNoneIsShared) {
    const std::vector<Tiling> tilings = tilings_of_rows(rows_with_sum(false));
    EXPECT_EQ(std::ranges::count_if(tilings, has_whole_rows), 0);
    EXPECT_EQ(tilings.size(), 4u);
}

TEST(RowTilings, AreNoneWithoutAReduction) {
    const Dag dag = diamond(1024, 512);
    RuleCounts counts;
    const StageId stage = dag.funcs.back().stages[0];
    EXPECT_TRUE(whole_row_tilings(dag, kGpu, RuleBook(), stage, counts).empty());
}

// Each Func of a level reads all of the level before, so that paths are without number.
TEST(RowTilings, AreFoundInANetOfManyPaths) {
    constexpr int kLevels = 10, kFuncs = 12;
    DagBuilder b;
    std::vector<FuncId> before{b.input("in", {"x", "y"})};
    for (int level = 0; level < kLevels; ++level) {
        std::vector<FuncId> now;
        for (int i = 0; i < kFuncs; ++i) {
            now.push_back(b.func("f" + std::to_string(kFuncs * level + i), {"x", "y"}));
            for (const FuncId func : before) b.reads(now.back(), func, {at(0), at(1)});
        }
        before = now;
    }
    const FuncId out = b.output("out", {{"x", 0, 999}, {"y", 0, 4095}});
    for (const FuncId func : before) b.reads(out, func, {at(0), at(1)});
    EXPECT_TRUE(tilings_of_rows(b.build()).empty());
}

// What a table's entries are made of is found once, in the block that makes them all.
Dag table_of_a_scan(int64_t entries) {
    DagBuilder b;
    const FuncId in = b.input("in", {"v"}), scan = b.func("scan", {"v"});
    const FuncId out = b.output("out", {{"v", 0, entries - 1}});
    b.reads(scan, in, {at(0)});
    const StageId update = b.update(scan, {b.reduction("r", 1, entries - 1)}, {at(0)});
    b.reads(update, scan, {at(0, -1)}).reads(out, scan, {at(0)});
    return b.build();
}

TEST(RowTilings, HaveOneBlockForAllPointsThatFitInOne) {
    const auto blocks_of_all = [](int64_t entries) {
        return std::ranges::count(tilings_of_rows(table_of_a_scan(entries)),
                                  Tiling{{.threads = entries}});
    };
    EXPECT_EQ(blocks_of_all(256), 1);
    EXPECT_EQ(blocks_of_all(1000), 1);
    EXPECT_EQ(blocks_of_all(1025), 0);
}

TEST(RowTilings, HaveNoWalksWhereARuleForbidsThem) {
    RuleBook rules;
    rules.switch_on(*rules.find("whole_rows"));
    const std::vector<Tiling> tilings = tilings_of_rows(rows_with_sum(true), rules);
    EXPECT_EQ(std::ranges::count_if(tilings, has_whole_rows), 0);
    EXPECT_EQ(tilings.size(), 4u);
}

}  // namespace
}  // namespace autoschedule_gpu
