// Several schedules in one, each for its sizes.
#include "scheduler/schedule/size_sections.h"

#include <gtest/gtest.h>

#include "example.h"
#include "scheduler/schedule/cpp_source.h"
#include "scheduler/schedule/trace.h"

namespace autoschedule_gpu {
namespace {

using test::example_dag;

int output(const Dag &dag) {
    for (const Func &func : dag.funcs) {
        if (func.is_output()) return func.halide_index;
    }
    return -1;
}

Directive at_root(const Dag &dag) {
    Directive root;
    root.func = output(dag);
    root.func_name = "out";
    return root;
}

Schedule two(const Dag &dag) {
    return joined_sections({{.extents = {{output(dag), "", 0, 544}}, .schedule = {at_root(dag)}},
                            {.schedule = {at_root(dag)}}},
                           dag);
}

std::string complaint(const Schedule &schedule, const Dag &dag) {
    const Status fits = check_sections(schedule, dag);
    return fits ? "" : fits.error().message;
}

TEST(SizeSections, AreSplitAsTheyWereJoined) {
    const Dag dag = example_dag();
    const Schedule schedule = two(dag);
    EXPECT_EQ(complaint(schedule, dag), "");
    const std::vector<SizeSection> sections = split_by_sizes(schedule);
    ASSERT_EQ(sections.size(), 2u);
    EXPECT_EQ(sections[0].extents, (std::vector<api::LeastExtent>{{output(dag), "", 0, 544}}));
    EXPECT_EQ(sections[0].schedule, Schedule{at_root(dag)});
    EXPECT_EQ(sections[0].first, 1u);
    EXPECT_TRUE(sections[1].extents.empty());
    EXPECT_EQ(sections[1].first, 3u);
    EXPECT_EQ(split_by_sizes({at_root(dag)}).size(), 1u);
}

TEST(SizeSections, AreInATrace) {
    const Dag dag = example_dag();
    Schedule schedule = two(dag);
    schedule[0].extents.push_back({-1, "input", 1, 7});
    const Result<Schedule> read = from_json(to_json(schedule, 1));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, schedule);
}

TEST(SizeSections, AreTakenWithConditionsThatLeaveSomething) {
    const Dag dag = example_dag();
    Schedule last_has_one = two(dag);
    last_has_one[2].extents = last_has_one[0].extents;
    EXPECT_NE(complaint(last_has_one, dag).find("the last schedule is for all other sizes"),
              std::string::npos);
    Schedule first_has_none = two(dag);
    first_has_none[0].extents.clear();
    EXPECT_NE(complaint(first_has_none, dag).find("there is no size left"), std::string::npos);
    Schedule late = two(dag);
    late.erase(late.begin());
    EXPECT_NE(complaint(late, dag).find("no schedule is begun"), std::string::npos);
}

TEST(SizeSections, AskForBuffersThatThereAre) {
    const Dag dag = example_dag();
    const std::pair<api::LeastExtent, std::string> wrong[] = {
        {{output(dag), "", 9, 5}, "dimensions, counted from 0"},
        {{output(dag), "", 0, 0}, "extents from 1 on"},
        {{0, "", 0, 5}, "Func 0 is no output"},
        {{-1, "image", 0, 5}, "the pipeline has no input \"image\""}};
    for (const auto &[extent, wanted] : wrong) {
        Schedule schedule = two(dag);
        schedule[0].extents = {extent};
        EXPECT_NE(complaint(schedule, dag).find(wanted), std::string::npos)
            << complaint(schedule, dag);
    }
}

TEST(SizeSections, AreNotForWhatIsScheduledByHandOrReadsAnOutput) {
    Dag by_hand = example_dag();
    by_hand.funcs.back().user_directives = {"compute_root"};
    EXPECT_FALSE(can_have_sections(by_hand));
    Dag read = example_dag();
    for (Func &func : read.funcs) {
        if (func.halide_index == 0) func.kind = Func::Kind::output;
    }
    Edge &edge = read.edges.emplace_back();
    edge.consumer = StageId(1);
    edge.producer = FuncId(1);
    EXPECT_FALSE(can_have_sections(read));
}

TEST(SizeSections, AreNotForWhatIsAsync) {
    Dag dag = example_dag();
    dag.funcs[0].host_reason = "is memoized";
    EXPECT_TRUE(can_have_sections(dag));
    dag.funcs[0].is_async = true;
    const Status can = can_have_sections(dag);
    ASSERT_FALSE(can);
    EXPECT_EQ(
        can.error().message,
        dag.funcs[0].name + " is async, and beside an async Func there can be one schedule only");
}

TEST(SizeSections, AreBlocksOfTheText) {
    const auto dag = std::make_shared<const Dag>(example_dag());
    const std::string text = cpp_source(two(*dag), *dag, {dag, dag});
    EXPECT_NE(text.find("sizes_0 = copy_for_sizes(pipeline, 0);"), std::string::npos);
    EXPECT_NE(text.find("= sizes_0.get_func("), std::string::npos);
    EXPECT_NE(text.find("= pipeline.get_func("), std::string::npos);
    EXPECT_NE(text.find(".extent.0\", 544}"), std::string::npos);
}

}  // namespace
}  // namespace autoschedule_gpu
