#include "scheduler/factors/factor_directives.h"

#include <gtest/gtest.h>

#include "scheduler/factors/made_funcs.h"
#include "scheduler/schedule/factors.h"
#include "scheduler/schedule/trace.h"
#include "unit/scheduler/factors/reductions.h"

namespace autoschedule_gpu {
namespace {

using namespace test;

Schedule factors(const Dag &dag, Factoring factoring) {
    const FactoredStage stage{dag.funcs.back().stages.back(), factoring};
    return factor_directives(dag, {&stage, 1});
}

std::string text(const Dag &dag, Factoring factoring) {
    std::string lines;
    for (const Directive &directive : factors(dag, factoring)) lines += describe(directive) + "\n";
    return lines;
}

TEST(FactorDirectives, GiveEachRowLanesThatReadNeighbours) {
    EXPECT_EQ(text(row_sums(1024, 4096), {32, 0}),
              "rows.update(0).split(r$x, r_step, r_lane, 32, TailStrategy::Auto)\n"
              "rows.update(0).rfactor({{r_lane, lane}})\n"
              "rows_intm.reorder_storage(lane, y)\n");
}

TEST(FactorDirectives, GiveALaneAllOfAPoint) {
    const Dag dag = column_sums(1'000'000, 1024);
    EXPECT_EQ(text(dag, {1, 0}), "columns.update(0).rfactor({})\n");
    const std::map<int, MadeFunc> made = made_funcs(dag, factors(dag, {1, 0}));
    ASSERT_EQ(made.size(), 1u);
    EXPECT_EQ(made.begin()->second.name, "columns_by_1_lane");
    EXPECT_TRUE(made.begin()->second.most.empty());
}

TEST(FactorDirectives, GiveLanesNeighboursWhereOrderMatters) {
    EXPECT_EQ(text(row_sums(1024, 4096, Partials::in_order), {32, 0}),
              "rows.update(0).split(r$x, r_lane, r_step, 32, TailStrategy::Auto)\n"
              "rows.update(0).rfactor({{r_lane, lane}})\n"
              "rows_intm.reorder_storage(lane, y)\n");
}

TEST(FactorDirectives, GiveLanesNeighboursOfEachPanel) {
    EXPECT_EQ(text(row_sums(4096, 4096, Partials::in_order), {64, 4}),
              "rows.update(0).split(r$x, r_chunk, r_in_chunk, 256, TailStrategy::Auto)\n"
              "rows.update(0).split(r_in_chunk, r_lane, r_step, 4, TailStrategy::Auto)\n"
              "rows.update(0).rfactor({{r_lane, lane}, {r_chunk, chunk}})\n"
              "rows_intm.reorder_storage(lane, y, chunk)\n"
              "rows.update(0).rfactor({{r_chunk, chunk2}})\n"
              "rows_intm.update(0).split(r_lane, r_part, r_step2, 4, TailStrategy::Auto)\n"
              "rows_intm.update(0).rfactor({{r_part, part}})\n"
              "rows_intm_intm.reorder_storage(part, y, chunk2)\n");
}

TEST(FactorDirectives, GiveLanesAlongRowsThatLieSideBySide) {
    EXPECT_EQ(text(sums_of_tiles(2442, 16, 256), {256, 0}),
              "tiles.update(0).split(r$x, r_step, r_lane, 16, TailStrategy::Auto)\n"
              "tiles.update(0).split(r$y, r_step2, r_row, 16, TailStrategy::Auto)\n"
              "tiles.update(0).rfactor({{r_lane, lane}, {r_row, row}})\n"
              "tiles_intm.reorder_storage(lane, c, row)\n"
              "tiles.update(0).rfactor({{r_row, part}})\n"
              "tiles_intm.reorder_storage(part, c)\n");
}

// tiles(c) += in(16 rx + ry + 128 c) * weights(rx + 8 c): a row of lanes along ry would be none.
TEST(FactorDirectives, GiveLanesNoRowsThatAreLongerThanTheirNumber) {
    using example::at;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x"}), weights = b.input("weights", {"x"});
    const FuncId out = b.output("tiles", {{"c", 0, 999}});
    const StageId update = b.update(
        out, {b.reduction("r$x", 0, 7), b.reduction("r$y", 0, 15), b.over(0, "c")}, {at(2)});
    b.reads(update, out, {at(2)})
        .reads(update, in, {{.terms = {{0, 16}, {1, 1}, {2, 128}}}})
        .reads(update, weights, {{.terms = {{0, 1}, {2, 8}}}})
        .partials(update);
    EXPECT_EQ(text(b.build(), {8, 0}),
              "tiles.update(0).split(r$x, r_step, r_lane, 8, TailStrategy::Auto)\n"
              "tiles.update(0).rfactor({{r_lane, lane}})\n"
              "tiles_intm.reorder_storage(lane, c)\n");
}

TEST(FactorDirectives, PutChunksTogetherInLevels) {
    EXPECT_EQ(text(full_sum(10'000'000), {256, 32}),
              "sum.update(0).split(r$x, r_chunk, r_in_chunk, 8192, TailStrategy::Auto)\n"
              "sum.update(0).split(r_in_chunk, r_step, r_lane, 256, TailStrategy::Auto)\n"
              "sum.update(0).rfactor({{r_lane, lane}, {r_chunk, chunk}})\n"
              "sum.update(0).rfactor({{r_chunk, chunk2}})\n"
              "sum_intm.update(0).split(r_lane, r_step2, r_part, 16, TailStrategy::Auto)\n"
              "sum_intm.update(0).rfactor({{r_part, part}})\n"
              "sum_intm_intm.reorder_storage(part, chunk2)\n"
              "sum.update(0).split(r_chunk, r_step3, r_part2, 256, TailStrategy::Auto)\n"
              "sum.update(0).rfactor({{r_part2, part2}})\n"
              "sum.update(0).split(r_part2, r_step4, r_part3, 16, TailStrategy::Auto)\n"
              "sum.update(0).rfactor({{r_part3, part3}})\n");
}

TEST(FactorDirectives, MakeChunksOfRowsOfAnImage) {
    EXPECT_EQ(text(image_sum(1024, 1000), {256, 8}),
              "total.update(0).split(r$y, r_chunk, r_row, 2, TailStrategy::Auto)\n"
              "total.update(0).split(r$x, r_step, r_lane, 256, TailStrategy::Auto)\n"
              "total.update(0).rfactor({{r_lane, lane}, {r_chunk, chunk}})\n"
              "total.update(0).rfactor({{r_chunk, chunk2}})\n"
              "total_intm.update(0).split(r_lane, r_step2, r_part, 16, TailStrategy::Auto)\n"
              "total_intm.update(0).rfactor({{r_part, part}})\n"
              "total_intm_intm.reorder_storage(part, chunk2)\n"
              "total.update(0).split(r_chunk, r_step3, r_part2, 32, TailStrategy::Auto)\n"
              "total.update(0).rfactor({{r_part2, part2}})\n");
}

TEST(FactorDirectives, MakeChunksOfPlanesOfShortRows) {
    EXPECT_EQ(text(plane_sums({24, 20, 16}, 1), {240, 8}),
              "planes.update(0).split(r$d2, r_chunk, r_row, 4, TailStrategy::Auto)\n"
              "planes.update(0).split(r$d0, r_step, r_lane, 24, TailStrategy::Auto)\n"
              "planes.update(0).split(r$d1, r_step2, r_row2, 10, TailStrategy::Auto)\n"
              "planes.update(0).rfactor({{r_lane, lane}, {r_row2, row}, {r_chunk, chunk}})\n"
              "planes_intm.reorder_storage(lane, n, row, chunk)\n"
              "planes.update(0).rfactor({{r_chunk, chunk2}})\n"
              "planes_intm.update(0).rfactor({{r_row2, part}})\n"
              "planes_intm_intm.reorder_storage(part, n, chunk2)\n");
}

TEST(FactorDirectives, AvoidNamesThatThePipelineHas) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), f = b.output("f", {{"lane", 0, 99}});
    const StageId update =
        b.update(f, {b.reduction("r_lane", 0, 999), b.over(0, "lane")}, {example::at(1)});
    b.reads(update, f, {example::at(1)}).reads(update, in, {example::at(0), example::at(1)});
    EXPECT_EQ(text(b.partials(update).build(), {32, 0}),
              "f.update(0).split(r_lane, r_step, r_lane2, 32, TailStrategy::Auto)\n"
              "f.update(0).rfactor({{r_lane2, lane2}})\n"
              "f_intm.reorder_storage(lane2, lane)\n");
}

TEST(FactorDirectives, AreASoundBeginningOfASchedule) {
    const Dag dags[] = {full_sum(10'000'000), full_sum(10'000'000, Partials::in_order),
                        row_sums(1024, 4096), image_sum(1024, 1000)};
    for (const Dag &dag : dags) {
        for (const Factoring factoring : {Factoring{32, 0}, {256, 0}, {64, 8}, {256, 128}}) {
            const Schedule schedule = factors(dag, factoring);
            const Status sound = check_against(schedule, dag);
            EXPECT_TRUE(sound.ok()) << sound.error().message;
            EXPECT_EQ(count_factors(schedule), schedule.size());
            EXPECT_EQ(from_json(to_json(schedule, 1)).value(), schedule);
        }
    }
}

TEST(MadeFuncs, AreNamedByWhatTheyAreParts) {
    const Dag dag = full_sum(10'000'000);
    std::vector<std::string> names;
    for (const auto &[number, func] : made_funcs(dag, factors(dag, {256, 32}))) {
        names.push_back(func.name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"sum_by_256_lanes", "sum_by_chunks_of_8192",
                                               "sum_by_16_parts", "sum_by_256_parts",
                                               "sum_by_16_parts_2"}));
    const Dag rows = row_sums(4096, 1024);
    const auto made = made_funcs(rows, factors(rows, {1, 128}));
    ASSERT_EQ(made.size(), 1u);
    EXPECT_EQ(made.begin()->second.name, "rows_by_chunks_of_128");
    EXPECT_EQ(made.begin()->second.most.at("chunk"), (int64_t{1} << 24));
}

TEST(MadeFuncs, HaveNoMorePointsThanHalideCanCount) {
    const Dag dag = full_sum(10'000'000);
    const auto made = made_funcs(dag, factors(dag, {256, 32}));
    const int first = made.begin()->first;
    EXPECT_EQ(made.at(first).most,
              (std::map<std::string, int64_t>{{"chunk", 262144}, {"lane", 256}}));
    EXPECT_EQ(made.at(first + 2).most,
              (std::map<std::string, int64_t>{{"chunk2", 262144}, {"part", 16}}));
}

}  // namespace
}  // namespace autoschedule_gpu
