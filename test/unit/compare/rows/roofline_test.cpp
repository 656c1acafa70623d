// Rooflines worked out by hand, and what is said of them in tables and in JSON.
#include "compare/rows/roofline.h"

#include <gtest/gtest.h>

#include "compare/rows/roofline_file.h"
#include "compare/rows/tables.h"
#include "core/json/json.h"
#include "present/markdown.h"
#include "present/terminal.h"
#include "unit/compare/rows/sample_rows.h"

namespace autoschedule_gpu {
namespace {

// Of a comparison of one application.
std::vector<RooflineRow> rooflines(const std::vector<ComparisonRow> &rows) {
    const std::vector<ComparisonGroup> groups = group_rows(rows);
    EXPECT_EQ(groups.size(), 1u);
    return roofline_rows(groups[0]);
}

TEST(Roofline, OfAMemoryBoundSchedule) {
    const std::vector<ComparisonRow> rows = {sample::row("blur", "gpu")};
    const RooflineRow row = rooflines(rows)[0];
    ASSERT_TRUE(row.figures) << row.unknown;
    EXPECT_DOUBLE_EQ(row.figures->operations, 36e6);
    EXPECT_DOUBLE_EQ(row.figures->recomputation(), 1);
    EXPECT_DOUBLE_EQ(row.figures->dram_bytes, 12e6);
    EXPECT_DOUBLE_EQ(row.figures->intensity, 3);
    EXPECT_EQ(row.figures->bound, RooflineBound::memory);
    EXPECT_DOUBLE_EQ(row.figures->attainable_gop_per_s, 3000);  // 3 op/B * 1000 GB/s
    EXPECT_DOUBLE_EQ(*row.predicted_ms, 0.024);
    EXPECT_DOUBLE_EQ(row.figures->gop_per_s(0.024), 1500);  // 36 M in 24 us
    EXPECT_DOUBLE_EQ(row.figures->share(0.024), 0.5);
    EXPECT_FALSE(row.measured_ms);  // PoCL is not the device of these roofs
}

TEST(Roofline, OfAnArithmeticBoundScheduleIsThePeakOfItsMix) {
    ComparisonRow floats = sample::row("blur", "gpu"), integers = sample::row("blur", "gpu");
    // 300 M operations on floats take 30 us, 60 M on integers 12 us at the same time.
    floats.kernels[0].float_operations = 300e6;
    floats.kernels[0].integer_operations = 60e6;
    // Here it is the integers that take 30 us.
    integers.kernels[0].float_operations = 60e6;
    integers.kernels[0].integer_operations = 150e6;
    const RooflineRow a = rooflines({floats})[0], b = rooflines({integers})[0];
    EXPECT_EQ(a.figures->bound, RooflineBound::arithmetic);
    EXPECT_DOUBLE_EQ(a.figures->attainable_gop_per_s, 360e6 / 30e3);
    EXPECT_EQ(b.figures->bound, RooflineBound::arithmetic);
    EXPECT_DOUBLE_EQ(b.figures->attainable_gop_per_s, 210e6 / 30e3);
}

TEST(Roofline, ComputingAgainIsNoPerformance) {
    ComparisonRow again = sample::row("blur", "gpu");
    again.kernels[0].float_operations = 96e6;  // with the integers three times what is needed
    const std::vector<ComparisonRow> rows = {again, sample::row("blur", "manual")};
    const std::vector<RooflineRow> both = rooflines(rows);
    EXPECT_DOUBLE_EQ(both[0].figures->recomputation(), 3);
    EXPECT_DOUBLE_EQ(both[1].figures->recomputation(), 1);
    EXPECT_DOUBLE_EQ(both[0].figures->intensity, both[1].figures->intensity);
    EXPECT_DOUBLE_EQ(both[0].figures->gop_per_s(1), both[1].figures->gop_per_s(1));
    EXPECT_DOUBLE_EQ(both[0].figures->share(1), both[1].figures->share(1));
}

TEST(Roofline, MovingMoreMakesLessAttainable) {
    ComparisonRow twice = sample::row("blur", "gpu");
    twice.kernels.push_back(sample::kernel("k1"));
    twice.kernels[1].float_operations = twice.kernels[1].integer_operations = 0;
    const std::vector<ComparisonRow> rows = {twice, sample::row("blur", "manual")};
    const std::vector<RooflineRow> both = rooflines(rows);
    EXPECT_DOUBLE_EQ(both[0].figures->intensity, 1.5);
    EXPECT_DOUBLE_EQ(both[0].figures->attainable_gop_per_s, 1500);
    EXPECT_DOUBLE_EQ(*both[0].predicted_ms, 0.048);
}

TEST(Roofline, WhatFailedIsNotUseful) {
    ComparisonRow wrong = sample::row("blur", "gpu");
    wrong.kernels[0].float_operations = 1;
    wrong.failure = RowFailure{FailureKind::wrong_output, "all zeros"};
    const std::vector<ComparisonRow> rows = {wrong, sample::row("blur", "manual")};
    const std::vector<RooflineRow> both = rooflines(rows);
    EXPECT_FALSE(both[0].figures);
    EXPECT_EQ(both[0].unknown, "failed (wrong output)");
    EXPECT_DOUBLE_EQ(both[1].figures->recomputation(), 1);
}

TEST(Roofline, SaysWhatIsMissing) {
    const auto unknown = [](const auto &change) {
        std::vector<ComparisonRow> rows = {sample::row("blur", "gpu"),
                                           sample::row("blur", "manual")};
        change(rows[0]);
        const std::vector<RooflineRow> both = rooflines(rows);
        EXPECT_FALSE(both[0].figures);
        EXPECT_FALSE(both[0].predicted_ms);
        EXPECT_TRUE(both[1].figures);
        return both[0].unknown;
    };
    EXPECT_EQ(unknown([](ComparisonRow &row) { row.kernels.clear(); }), "no kernel is known");
    EXPECT_EQ(unknown([](ComparisonRow &row) { row.kernels[0].float_operations.reset(); }),
              "operations were not counted");
    EXPECT_EQ(unknown([](ComparisonRow &row) {
                  row.kernels[0].float_operations = row.kernels[0].integer_operations = 0;
              }),
              "no operation was counted");
    EXPECT_EQ(unknown([](ComparisonRow &row) { row.kernels[0].footprint_load_bytes.reset(); }),
              "bytes were not counted");
    EXPECT_EQ(unknown([](ComparisonRow &row) {
                  row.kernels[0].footprint_load_bytes = row.kernels[0].footprint_store_bytes = 0;
              }),
              "no byte was counted");
    EXPECT_EQ(unknown([](ComparisonRow &row) { row.roofs.reset(); }),
              "the roofs of the device are not known");
}

TEST(Roofline, IsMeasuredOnCuda) {
    for (const char *device : {"cuda: invented", "replay: cuda: invented"}) {
        ComparisonRow row = sample::row("blur", "gpu");
        row.device = device;
        EXPECT_EQ(rooflines({row})[0].measured_ms, 0.5) << device;
    }
}

TEST(RooflineTable, SaysWhatIsReachedAndWhatIsUnknown) {
    const std::string text = terminal_text(roofline_table(
        {sample::row("blur", "gpu"),
         sample::failed_row("blur", "manual", FailureKind::ptxas, "too many registers")}));
    const std::string expected = R"(Roofline
========
Roofs of A100: 10000 Gop/s on floats, 5000 on integers, 1000 GB/s of DRAM.

scheduler  opera-     times  DRAM  inten-  bound   attain-  predicted  predicted  predicted
            tions  computed          sity  by         able       time      perf.      share
              Gop              MB    op/B            Gop/s         ms      Gop/s          %

blur
gpu        0.0360      1.00  12.0    3.00  memory     3000     0.0240       1500       50.0
manual          -         -     -       -  -             -          -          -          -
    failed (ptxas)
)";
    EXPECT_EQ(text.substr(0, expected.size()), expected);
}

TEST(RooflineTable, HasMeasuredTimesBesidePredictedOnes) {
    ComparisonRow measured = sample::row("blur", "gpu"), predicted = sample::row("blur", "manual");
    measured.device = "cuda: invented";
    measured.kernels[0].exact = false;
    const std::string text = markdown_text(roofline_table({measured, predicted}));
    EXPECT_NE(
        text.find("| blur | gpu | \\~0.0360 | 1.00 | \\~12.0 | 3.00 | memory | 3000 | 0.0240 | "
                  "1500 | 50.0 | 0.500 | 72.0 | 2.40 |"),
        std::string::npos)
        << text;
    EXPECT_NE(text.find("| 1500 | 50.0 | - | - | - |"), std::string::npos) << text;
}

TEST(RooflineTable, FitsTheTerminal) {
    ComparisonRow row = sample::row("blur", "gpu:strategy=greedy_grouping");
    row.device = "cuda: invented";
    const std::string text = terminal_text(roofline_table({row}));
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = text.find('\n', begin);
        EXPECT_LE(end - begin, kTerminalColumns) << text.substr(begin, end - begin);
        begin = end + 1;
    }
}

TEST(RooflineTable, IsEmptyWithoutRoofs) {
    EXPECT_TRUE(roofline_table({sample::bare_row("blur", "gpu")}).empty());
    EXPECT_TRUE(roofline_table({}).empty());
}

TEST(RooflineFile, HoldsWhatFollowsFromTheRowsInTheirOrder) {
    // The groups interleave.
    const Json json = Json::parse(
        roofline_json({sample::row("blur", "gpu"), sample::row("scan", "gpu"),
                       sample::failed_row("blur", "manual", FailureKind::crash, "signal 11")}));
    ASSERT_EQ(json.size(), 3u);
    EXPECT_EQ(json[0], Json::parse(R"({
        "app": "blur", "scheduler": "gpu", "size": "full", "gpu": "A100", "unknown": null,
        "operations": 36e6, "useful_operations": 36e6, "recomputation": 1.0, "dram_bytes": 12e6,
        "intensity": 3.0, "bound": "memory", "attainable_gop_per_s": 3000.0, "exact": true,
        "predicted": {"ms": 0.024, "gop_per_s": 1500.0, "share": 0.5}, "measured": null})"));
    EXPECT_EQ(json[1]["app"], "scan");
    EXPECT_EQ(json[2]["unknown"], "failed (crash)");
    EXPECT_EQ(json[2].size(), json[0].size());
    EXPECT_TRUE(json[2]["operations"].is_null());
    EXPECT_EQ(roofline_json({}), "[]\n");
}

}  // namespace
}  // namespace autoschedule_gpu
