// The runner, with a shell script for a generator that writes a report of the plugin.
#include "compare/ablation/ablation.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/process/temporary_folder.h"
#include "core/support/file.h"
#include "core/support/split_list.h"
#include "unit/compare/ablation/canned_report.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

class AblationRun : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(folder_);
        ASSERT_TRUE(write_file(path("libautoschedule_gpu.so"), ""));
        ASSERT_TRUE(write_file(path("libschedule_probe.so"), ""));
        set_report(ablation_sample::report().dump());
        // Appends the switches that it was called with to a log, in one line.
        set_generator(R"(
            for word in "$@"; do
                case "$word" in
                    autoscheduler.report=*) report="${word#*=}" ;;
                    autoscheduler.memo=*|autoscheduler.sampling=*|autoscheduler.freeze=*)
                        printf '%s' "${word#*=} " >>"$here/log" ;;
                esac
            done
            echo >>"$here/log"
            cp "$here/canned.json" "$report")");
        settings_.applications = {{.name = "blur",
                                   .generator = path("blur.generator"),
                                   .sizes = {{"full", {{"width", "64"}}}}}};
        settings_.configurations = parse_configurations("memo,none").value();
        settings_.folder = path("out");
        tools_ = {.probe = path("libschedule_probe.so"),
                  .plugin_folders = {path("nowhere"), folder_->path().string()}};
    }

    std::string path(const std::string &name) const { return folder_->path() / name; }

    void set_generator(const std::string &lines) {
        const std::string script = path("blur.generator");
        ASSERT_TRUE(write_file(script, "#!/bin/sh\nhere=\"$(dirname \"$0\")\"\n" + lines + "\n"));
        fs::permissions(script, fs::perms::owner_all);
        // As if it had been built long ago, so that rows of this test are newer.
        fs::last_write_time(script, fs::file_time_type::clock::now() - std::chrono::hours(1));
    }

    void set_report(const std::string &text) { ASSERT_TRUE(write_file(path("canned.json"), text)); }

    std::vector<AblationRow> run(const std::vector<AblationRow> &earlier = {}) {
        return run_ablation(settings_, tools_, earlier);
    }

    // One line per call of the generator, "memo sampling freeze" as on or off.
    std::vector<std::string> calls() const {
        const Result<std::string> log = read_file(path("log"));
        return log ? split_list(*log, '\n') : std::vector<std::string>{};
    }

    std::string refusal() const {
        const Status sound = check(settings_, tools_);
        return sound ? "" : sound.error().message;
    }

    Result<TemporaryFolder> folder_ = TemporaryFolder::create("ablation_run_");
    AblationSettings settings_;
    Toolbox tools_;
};

TEST_F(AblationRun, EveryConfigurationIsARowWithWhatTheReportSays) {
    ASSERT_EQ(refusal(), "");
    const std::vector<AblationRow> rows = run();
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].configuration, "memo");
    EXPECT_EQ(rows[0].parameters, "memo=on:sampling=off:freeze=off");
    EXPECT_EQ(rows[1].configuration, "none");
    for (const AblationRow &row : rows) {
        ASSERT_TRUE(row.ok()) << row.failure->sentence;
        EXPECT_EQ(row.app, "blur");
        EXPECT_EQ(row.search->states_scored, 1000);
        EXPECT_EQ(row.search_s, std::vector<double>{2});
        EXPECT_GT(row.measured_unix_s, 0);
        EXPECT_TRUE(row.peak_mb);
    }
    EXPECT_EQ(calls(), (std::vector<std::string>{"on off off ", "off off off "}));
}

TEST_F(AblationRun, RepeatsBeginWithAnotherConfigurationEachTime) {
    settings_.repeats = 2;
    const std::vector<AblationRow> rows = run();
    EXPECT_EQ(rows[0].search_s, (std::vector<double>{2, 2}));
    EXPECT_EQ(calls(), (std::vector<std::string>{"on off off ", "off off off ", "off off off ",
                                                 "on off off "}));
}

TEST_F(AblationRun, RowsOfAnEarlierCallAreKept) {
    std::vector<AblationRow> earlier = run();
    EXPECT_EQ(run(earlier), earlier);
    EXPECT_EQ(calls().size(), 2u);
    earlier.pop_back();
    run(earlier);
    EXPECT_EQ(calls().size(), 3u);
}

TEST_F(AblationRun, RowsAreMadeAnewWhereTheyDoNotHold) {
    const std::vector<AblationRow> earlier = run();
    settings_.params = {"num_passes=2"};
    EXPECT_EQ(run(earlier)[0].parameters, "num_passes=2:memo=on:sampling=off:freeze=off");
    settings_.params = {};
    settings_.repeats = 2;
    EXPECT_EQ(run(earlier)[0].search_s.size(), 2u);
    settings_.repeats = 1;
    const auto later = fs::file_time_type::clock::now() + std::chrono::hours(1);
    fs::last_write_time(path("libautoschedule_gpu.so"), later);
    run(earlier);
    EXPECT_EQ(calls().size(), 2u + 2u + 4u + 2u);
}

TEST_F(AblationRun, WhatDidNotCompleteIsTriedAgainOnlyWithMoreTime) {
    auto report = ablation_sample::report();
    report["search"]["stop_reason"] = "time_limit";
    set_report(report.dump());
    const std::vector<AblationRow> earlier = run();
    ASSERT_TRUE(earlier[0].ok());
    EXPECT_FALSE(earlier[0].completed());
    run(earlier);
    EXPECT_EQ(calls().size(), 2u);
    settings_.timeout *= 2;
    run(earlier);
    EXPECT_EQ(calls().size(), 4u);
}

TEST_F(AblationRun, AConfigurationThatFailsIsARowAndTheOthersGoOn) {
    set_generator(R"(
        case "$*" in *memo=on*) echo 'the GPU autoscheduler refuses' >&2; exit 1 ;; esac
        for word in "$@"; do
            case "$word" in autoscheduler.report=*) cp "$here/canned.json" "${word#*=}" ;; esac
        done)");
    settings_.repeats = 2;
    const std::vector<AblationRow> rows = run();
    ASSERT_FALSE(rows[0].ok());
    EXPECT_EQ(rows[0].failure->kind, FailureKind::search);
    EXPECT_NE(rows[0].failure->sentence.find("refuses"), std::string::npos);
    EXPECT_NE(rows[0].reproduce.value_or("").find("autoscheduler.memo=on"), std::string::npos);
    EXPECT_TRUE(rows[1].ok());
}

TEST_F(AblationRun, AGeneratorThatDoesNotEndIsARow) {
    set_generator("sleep 30");
    settings_.timeout = std::chrono::milliseconds(100);
    const std::vector<AblationRow> rows = run();
    ASSERT_FALSE(rows[1].ok());
    EXPECT_EQ(rows[1].failure->kind, FailureKind::timeout);
}

TEST_F(AblationRun, AReportThatIsMissingOrBrokenIsARow) {
    set_report("{}");
    EXPECT_NE(run()[0].failure.value().sentence.find("report.json: expected a report"),
              std::string::npos);
    set_generator("exit 0");
    EXPECT_EQ(run()[0].failure.value().kind, FailureKind::setup);
}

TEST_F(AblationRun, RepeatsThatFindOtherThingsAreAFailure) {
    set_generator(R"(
        echo >>"$here/log"
        for word in "$@"; do
            case "$word" in autoscheduler.report=*) report="${word#*=}" ;; esac
        done
        sed "s/1000/$(wc -l <"$here/log")/" "$here/canned.json" >"$report")");
    settings_.repeats = 2;
    const std::vector<AblationRow> rows = run();
    ASSERT_FALSE(rows[0].ok());
    EXPECT_EQ(rows[0].failure->sentence,
              "a repeat of the same search found 4 states scored, not 1");
}

TEST_F(AblationRun, ReportsSearchesAndRowsAsItGoes) {
    settings_.repeats = 3;
    std::vector<std::string> doing;
    size_t rows = 0;
    run_ablation(
        settings_, tools_, {},
        [&](const ComparisonProgress &progress) {
            EXPECT_EQ(progress.total, 6);
            EXPECT_EQ(progress.done, static_cast<int>(doing.size()));
            doing.push_back(progress.doing);
        },
        [&](const std::vector<AblationRow> &so_far) { rows = so_far.size(); });
    ASSERT_EQ(doing.size(), 6u);
    EXPECT_EQ(doing[0], "blur: memo, search 1 of 3");
    EXPECT_EQ(rows, 2u);
}

TEST_F(AblationRun, WhatCannotBeMeasuredIsRefusedBeforehand) {
    settings_.params = {"memo=off"};
    EXPECT_NE(refusal().find("'memo' is not free"), std::string::npos);
    settings_.params = {"beam_size"};
    EXPECT_NE(refusal().find("'beam_size' is not NAME=VALUE"), std::string::npos);
    settings_.params = {};
    settings_.size = "huge";
    EXPECT_NE(refusal().find("blur has no size 'huge'; it has: full"), std::string::npos);
    settings_.size = "full";
    tools_.probe = path("no_probe.so");
    EXPECT_NE(refusal().find("no_probe.so"), std::string::npos);
    tools_.plugin_folders = {path("nowhere")};
    EXPECT_NE(refusal().find("libautoschedule_gpu.so is in none of"), std::string::npos);
}

TEST_F(AblationRun, RowsAreMadeAnewWhereWhatTheyNameIsAnother) {
    ASSERT_TRUE(write_file(path("weights"), "old"));
    settings_.params = {"weights_path=" + path("weights")};
    const std::vector<AblationRow> earlier = run();
    run(earlier);
    EXPECT_EQ(calls().size(), 2u);
    ASSERT_TRUE(write_file(path("weights"), "new"));
    const std::vector<AblationRow> later = run(earlier);
    EXPECT_EQ(calls().size(), 4u);
    settings_.applications[0].sizes["full"] = {{"width", "128"}};
    const std::vector<AblationRow> wider = run(later);
    EXPECT_EQ(calls().size(), 6u);
    settings_.model.sm_count += 1;
    run(wider);
    EXPECT_EQ(calls().size(), 8u);
}

TEST_F(AblationRun, ARowThatSaysNothingOfItsSearchIsMadeAnew) {
    std::vector<AblationRow> earlier = run();
    earlier[0].search.reset();
    earlier[0].failure = RowFailure{FailureKind::lost, "it was killed"};
    const std::vector<AblationRow> again = run(earlier);
    EXPECT_TRUE(again[0].ok());
    EXPECT_EQ(again[1], earlier[1]);
    EXPECT_EQ(calls().size(), 3u);
}

}  // namespace
}  // namespace autoschedule_gpu
