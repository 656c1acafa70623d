#include <gtest/gtest.h>

#include <filesystem>

#include "core/support/file.h"
#include "tune/contest/contest_folder.h"
#include "tune/contest/contest_left.h"
#include "tune/contest/contest_plots.h"
#include "tune/contest/contest_tables.h"
#include "tune/contest/run_clock.h"
#include "tune/contest/standings.h"
#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

ContestRun example_run(const std::string &app, const std::string &strategy, uint64_t seed,
                       double gain, std::vector<CoursePoint> course = {{1, 2, 8}, {4, 5, 2}}) {
    return {.app = app,
            .strategy = strategy,
            .seed = seed,
            .settings = "s",
            .size = "tiny",
            .device = "cpu",
            .trials = 8,
            .measured = 7,
            .failed = 1,
            .different = 8,
            .seconds = 10,
            .course = std::move(course),
            .untrained = {{1, 3}, {2, 2}},
            .best = {.median_ms = 1, .low_ms = 0.9, .high_ms = 1.1},
            .untuned = VerifiedTime{.median_ms = gain, .low_ms = gain, .high_ms = gain},
            .winner = "strategy=beam"};
}

// "fast" gains 4 and 9 with some noise, "slow" 2 and 2.
std::vector<ContestRun> example_contest() {
    std::vector<ContestRun> runs;
    for (const uint64_t seed : {1, 2, 3}) {
        const double noise = seed == 1 ? 0.95 : seed == 2 ? 1 : 1 / 0.95;
        for (const char *app : {"one", "two"}) {
            runs.push_back(example_run(app, "top5", seed, 2 * noise));
            runs.push_back(example_run(app, "fast", seed, (app[0] == 'o' ? 4 : 9) * noise,
                                       {{1, 1, 8}, {2, 3, 1.02}, {6, 7, 1}}));
        }
    }
    return runs;
}

FailedRun example_failure() {
    return {.app = "harris", .strategy = "grid", .seed = 4, .why = "it crashed"};
}

std::string cells_of(const Table &table) {
    std::string text;
    for (const TableSection &section : table.sections) {
        for (const TableLine &line : section.lines) {
            for (const TableCell &cell : line.cells) text += cell.text + "|";
        }
    }
    return text;
}

TEST(FailedRun, ComesBackFromItsText) {
    for (const char *why : {"it crashed", "the run: did not end, seed 9: not at all"}) {
        FailedRun failed = example_failure();
        failed.why = why;
        EXPECT_EQ(parse_failed_run(to_string(failed)), failed);
    }
    for (const char *text : {"", "harris", "harris grid, seed x: why", "harris grid, seed 4"}) {
        EXPECT_EQ(parse_failed_run(text), std::nullopt) << text;
    }
}

TEST(EarlierReport, HasWhatTheRunsDoNotSay) {
    const Scratch scratch;
    std::filesystem::create_directories(scratch.path("contest"));
    EXPECT_EQ(earlier_report(scratch.path("none")).header.command, "");
    const ContestHeader header{.date = "2026-11-30", .command = "compare_tuners", .machine = "one"};
    ASSERT_TRUE(write_contest(scratch.path("contest"), header,
                              {.runs = example_contest(), .failed = {example_failure()}}));
    const EarlierReport earlier = earlier_report(scratch.path("contest"));
    EXPECT_EQ(earlier.header.date, header.date);
    EXPECT_EQ(earlier.header.command, header.command);
    EXPECT_EQ(earlier.header.machine, header.machine);
    EXPECT_EQ(earlier.failed, (std::vector<FailedRun>{example_failure()}));
}

TEST(ContestLeft, RunsToComeTakeTheMeanOfThoseThatAreKnown) {
    const std::vector<ContestRun> made = {example_run("one", "top5", 1, 2),
                                          example_run("two", "top5", 1, 2)};  // 10 s each
    EXPECT_DOUBLE_EQ(*contest_left_s(made, {.so_far_s = 15, .left_s = 25, .runs = 3}),
                     25 + 3 * (10 + 10 + 40) / 3.0);
}

TEST(ContestLeft, ARunThatDoesNotKnowTakesAsLongAsOthersDid) {
    const std::vector<ContestRun> made = {example_run("one", "top5", 1, 2)};
    EXPECT_DOUBLE_EQ(*contest_left_s(made, {.so_far_s = 4, .runs = 2}), 6 + 2 * 10);
    EXPECT_DOUBLE_EQ(*contest_left_s(made, {.so_far_s = 14, .runs = 2}), 2 * (10 + 14) / 2.0)
        << "it takes longer than they did";
    EXPECT_FALSE(contest_left_s({}, {.so_far_s = 4, .runs = 2}).has_value());
}

TEST(ContestRun, IsReadAsItWasWritten) {
    const ContestRun run = example_run("one", "fast", 7, 3);
    const Result<ContestRun> read = parse_contest_run(to_json(run));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, run);
    ContestRun without = run;
    without.untuned = {};
    EXPECT_EQ(*parse_contest_run(to_json(without)), without);
    EXPECT_FALSE(parse_contest_run("{}"));
    EXPECT_FALSE(parse_contest_run(R"({"format": "autoschedule_gpu.contest_run", "version": 1})"));
}

TEST(OverallGains, AreGeometricMeansWithIntervalsOfTheSeeds) {
    const std::vector<OverallGain> overall = overall_gains(example_contest());
    ASSERT_EQ(overall.size(), 2u);
    EXPECT_EQ(overall[0].strategy, "fast");
    EXPECT_NEAR(overall[0].gain, 6, 1e-9);
    EXPECT_NEAR(overall[1].gain, 2, 1e-9);
    // Two strata of three, standard deviation 0.0513 of the logarithms: 4 degrees of freedom.
    EXPECT_NEAR(overall[0].interval.high / 6, std::exp(2.7764 * 0.05129 / std::sqrt(6)), 1e-4);
    EXPECT_TRUE(are_apart(overall[0].interval, overall[1].interval));
    EXPECT_FALSE(are_apart(overall[0].interval, overall[0].interval));
}

TEST(OverallGains, OfOneSeedHaveNoIntervalAndTellNothingApart) {
    std::vector<ContestRun> runs = example_contest();
    std::erase_if(runs, [](const ContestRun &run) { return run.seed != 2; });
    const std::vector<OverallGain> overall = overall_gains(runs);
    EXPECT_EQ(overall[0].interval.confidence, 0);
    EXPECT_FALSE(are_apart(overall[0].interval, overall[1].interval));
    EXPECT_EQ(cells_of(overall_table(runs)), "fast|6.000|-|-|top5|2.000|-|-|");
}

TEST(OverallGains, LeaveOutApplicationsThatAStrategyHasNotRunOn) {
    std::vector<ContestRun> runs = example_contest();
    std::erase_if(runs,
                  [](const ContestRun &run) { return run.app == "two" && run.strategy == "top5"; });
    const std::vector<OverallGain> overall = overall_gains(runs);
    EXPECT_EQ(overall[0].apps, 1u);
    EXPECT_NEAR(overall[0].gain, 4, 1e-9);
}

TEST(OverallGains, SayWhichSeedsTheyLeaveOutAndWhy) {
    std::vector<ContestRun> runs = example_contest();
    EXPECT_TRUE(left_out_of_overall(runs).empty());
    std::erase_if(runs, [](const ContestRun &run) {
        return run.app == "two" && run.strategy == "top5" && run.seed == 3;
    });
    EXPECT_EQ(left_out_of_overall(runs),
              (std::vector<std::string>{"seed 3, under which top5 has no gain on two"}));
    const std::string legend = overall_table(runs).legend;
    EXPECT_NE(legend.find(" Left out: seed 3, under which top5 has no gain on two."),
              std::string::npos)
        << legend;
    std::erase_if(runs,
                  [](const ContestRun &run) { return run.app == "two" && run.strategy == "top5"; });
    EXPECT_EQ(left_out_of_overall(runs),
              (std::vector<std::string>{"two, on which top5 has no gain"}));
}

TEST(Band, HoldsTheMedianBetweenTheQuartilesFromWhereAllHaveSomething) {
    const std::vector<ContestRun> runs = {example_run("one", "a", 1, 2, {{2, 1, 8}, {4, 2, 4}}),
                                          example_run("one", "a", 2, 2, {{3, 1, 6}}),
                                          example_run("one", "a", 3, 2, {{1, 1, 10}, {5, 3, 1}})};
    const std::vector<BandPoint> band = band_of(seeds_of(runs, "one", "a"), CourseAxis::trials);
    ASSERT_EQ(band.size(), 3u);
    EXPECT_EQ(band[0].x, 3);
    EXPECT_EQ(band[0].best_ms.middle, 8);  // of 8, 6, 10
    EXPECT_EQ(band[0].best_ms.low, 7);
    EXPECT_EQ(band[0].best_ms.high, 9);
    EXPECT_EQ(band[2].best_ms.middle, 4);  // of 4, 6, 1
}

TEST(Band, IsEmptyAlongUnknownTimes) {
    const std::vector<ContestRun> runs = {example_run("one", "a", 1, 2, {{1, 0, 8}})};
    EXPECT_TRUE(band_of(seeds_of(runs, "one", "a"), CourseAxis::seconds).empty());
    EXPECT_EQ(contest_plots(runs).size(), 1u);
}

TEST(PredictedChoice, IsComparedWithTheFastest) {
    const PredictedChoice choice = predicted_choice({{1, 4}, {2, 2}, {3, 8}});
    EXPECT_EQ(choice.chosen, 2);
    EXPECT_NEAR(choice.mean, 2, 1e-12);
}

TEST(ContestTables, SayWhoLeadsWhenAndHowSoonStrategiesAreDone) {
    const std::vector<ContestRun> runs = example_contest();
    EXPECT_EQ(cells_of(leaders_table(runs)),
              "one|top5 8 ms (0 %)|fast 1.02 ms (684 %)|fast 1.02 ms (96 %)|fast 1 ms (100 %)|"
              "two|top5 8 ms (0 %)|fast 1.02 ms (684 %)|fast 1.02 ms (96 %)|fast 1 ms (100 %)|");
    EXPECT_NE(cells_of(convergence_table(runs)).find("one|4 (4 to 4)|2 (2 to 2)|"),
              std::string::npos);
    EXPECT_NE(cells_of(convergence_table(runs)).find("one|5.0 (5.0 to 5.0)|3.0 (3.0 to 3.0)|"),
              std::string::npos);
    EXPECT_NE(cells_of(modes_table(runs)).find("one|2.00 (1.90 to 2.11)|"), std::string::npos);
    EXPECT_NE(cells_of(predictions_table(runs)).find("one|1.50|1.22|-|-|"), std::string::npos);
}

// "lucky" has measured something after two trials under one seed of two, and that was fast.
TEST(ContestTables, LeadersHaveMeasuredSomethingUnderEverySeed) {
    const std::vector<ContestRun> runs = {example_run("one", "lucky", 1, 2, {{1, 1, 1}}),
                                          example_run("one", "lucky", 2, 2, {{5, 1, 9}}),
                                          example_run("one", "steady", 1, 2, {{1, 1, 4}}),
                                          example_run("one", "steady", 2, 2, {{2, 1, 4}})};
    EXPECT_EQ(cells_of(leaders_table(runs)), "one|-|steady 4 ms|steady 4 ms|steady 4 ms (25 %)|");
}

TEST(ContestTables, OfFewTrialsHaveNoColumnOfNone) {
    std::vector<ContestRun> runs = {example_run("one", "top5", 1, 2, {{1, 1, 8}})};
    runs[0].trials = 3;
    std::string titles;
    for (const TableColumn &column : leaders_table(runs).columns) titles += column.title + "|";
    EXPECT_EQ(titles, "application|1 trials|3 trials|");
    runs[0].trials = 0;
    EXPECT_TRUE(leaders_table(runs).empty());
}

TEST(ContestTables, HaveRunsThatFailed) {
    EXPECT_TRUE(failed_table({}).empty());
    const std::vector<Table> tables = contest_tables({}, {example_failure()});
    ASSERT_EQ(tables.size(), 1u);
    EXPECT_EQ(cells_of(tables[0]), "harris|grid|4|it crashed|");
    EXPECT_EQ(contest_tables(example_contest(), {example_failure()}).back().title, "Failed runs");
}

TEST(ContestFolder, HasAPageTablesAndFiguresForPrograms) {
    const Scratch scratch;
    std::filesystem::create_directories(scratch.path("contest"));
    const ContestResult result{.runs = example_contest(), .failed = {example_failure()}};
    ASSERT_TRUE(write_contest(scratch.path("contest"), {.command = "compare_tuners"}, result));
    const std::string page = *read_file(scratch.path("contest") + "/index.html");
    for (const char *part : {"path", "band series0", "curve series1", "Who leads when", "top5",
                             "Failed runs", "it crashed"}) {
        EXPECT_NE(page.find(part), std::string::npos) << part;
    }
    EXPECT_NE(read_file(scratch.path("contest") + "/results.md")->find("it crashed"),
              std::string::npos);
    EXPECT_NE(read_file(scratch.path("contest") + "/results.md")->find("| fast"),
              std::string::npos);
    EXPECT_NE(read_file(scratch.path("contest") + "/results.json")
                  ->find("harris grid, seed 4: it crashed"),
              std::string::npos);
}

TEST(ContestFolder, HasNothingOfEarlierCallsWhereAllRunsFail) {
    const Scratch scratch;
    std::filesystem::create_directories(scratch.path("contest/runs/one-top5-1"));
    const auto text_in = [&](const char *file) {
        return *read_file(scratch.path("contest") + "/" + file);
    };
    ASSERT_TRUE(write_contest(scratch.path("contest"), {}, {.runs = example_contest()}));
    const std::string before = text_in("index.html");
    ASSERT_TRUE(write_contest(scratch.path("contest"), {}, {}));
    EXPECT_EQ(text_in("index.html"), before) << "nothing has come out yet";
    ASSERT_TRUE(write_contest(scratch.path("contest"), {}, {.failed = {example_failure()}}));
    for (const char *file : {"index.html", "results.md", "results.json"}) {
        EXPECT_NE(text_in(file).find("it crashed"), std::string::npos) << file;
        EXPECT_EQ(text_in(file).find("top5"), std::string::npos) << file;
    }
    remove_contest(scratch.path("contest"));
    EXPECT_TRUE(std::filesystem::is_empty(scratch.path("contest")));
}

TEST(RunClock, GoesOnWhereAnEarlierCallWasEnded) {
    const Scratch scratch;
    const std::string path = scratch.path("times.json");
    ASSERT_TRUE(
        write_file(path, R"({"settings": "these", "trials_and_seconds": [[1, 2.0], [9, 10.0]]})"));
    Result<RunClock> opened = RunClock::open(path, "these");
    ASSERT_TRUE(opened);
    RunClock clock = std::move(opened).value();
    EXPECT_EQ(clock.seconds_at(1), 2);
    EXPECT_EQ(clock.seconds_at(5), 10);
    ASSERT_TRUE(clock.tell(9));  // known: takes no time
    EXPECT_EQ(clock.seconds_at(9), 10);
    ASSERT_TRUE(clock.tell(12));
    EXPECT_GT(clock.seconds_at(12), 10);
    EXPECT_EQ(RunClock::read(path)->seconds_at(12), clock.seconds_at(12));
    EXPECT_EQ(RunClock::open(path, "these")->seconds_at(12), clock.seconds_at(12));
    EXPECT_FALSE(RunClock::open(path, "these")->is_new());
    EXPECT_TRUE(RunClock::open(path, "others")->is_new());
    EXPECT_EQ(RunClock::open(path, "others")->seconds_at(12), 0);
    ASSERT_TRUE(write_file(path, "no times"));
    EXPECT_FALSE(RunClock::open(path, "these"));
}

// What was measured on the other one is not known here, and takes its time again.
TEST(RunClock, BeginsAnewOnAnotherDevice) {
    const Scratch scratch;
    const std::string path = scratch.path("times.json");
    const auto opened = [&] { return RunClock::open(path, "these").value(); };
    RunClock first = opened();
    first.run_on("");
    first.run_on("opencl: one");
    ASSERT_TRUE(first.tell(9));
    RunClock same = opened();
    same.run_on("opencl: one");
    EXPECT_EQ(same.seconds_at(9), first.seconds_at(9));
    RunClock other = opened();
    other.run_on("opencl: another");
    EXPECT_TRUE(other.is_new());
    ASSERT_TRUE(other.tell(3));
    EXPECT_GT(other.seconds_at(3), 0) << "known trials would take no time";
    RunClock again = opened();
    again.run_on("opencl: another");
    EXPECT_EQ(again.seconds_at(9), other.seconds_at(3));
    RunClock replayed = RunClock::read(path).value();
    replayed.run_on("opencl: one");
    EXPECT_EQ(replayed.seconds_at(3), other.seconds_at(3)) << "a replay has no device of its own";
}

TEST(ContestTables, MeansAreOverThePipelinesThatAllStrategiesHave) {
    const std::vector<ContestRun> runs = {
        example_run("one", "top5", 1, 2), example_run("one", "one-shot", 1, 3),
        example_run("two", "top5", 1, 8), example_run("three", "top5", 1, 4),
        example_run("three", "one-shot", 1, 12)};
    const std::string cells = cells_of(modes_table(runs));
    // Of top5 over all three it would be 4.
    EXPECT_NE(cells.find("two|8.00|-|"), std::string::npos) << cells;
    EXPECT_NE(cells.find("geometric mean of 2|2.83|6.00|"), std::string::npos) << cells;
    EXPECT_NE(cells_of(modes_table(example_contest())).find("geometric mean|2.00|"),
              std::string::npos);
}

}  // namespace
}  // namespace autoschedule_gpu
