// Which results of earlier calls are kept: fingerprints, and rows in a folder.
#include "compare/schedulers/kept_rows.h"

#include <gtest/gtest.h>

#include "compare/rows/comparison_file.h"
#include "compare/schedulers/compare_schedulers.h"
#include "compare/schedulers/fingerprint.h"
#include "core/gpu/gpu_model.h"
#include "unit/compare/rows/sample_rows.h"
#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

class Fingerprint : public testing::Test {
protected:
    void name(const std::string &parameter, const std::string &value) {
        settings_.contenders = {{.label = "gpu", .scheduler_params = {{parameter, value}}}};
    }

    uint64_t value() const { return fingerprint(settings_, {}, application_).value(); }

    const Scratch scratch_;
    ComparisonSettings settings_;
    Application application_ = {.name = "blur", .sizes = {{"full", {{"width", "64"}}}}};
};

TEST_F(Fingerprint, IsOfWhatIsInTheFilesThatParametersName) {
    name("weights_path", scratch_.write("weights", "old"));
    const uint64_t old = value();
    EXPECT_EQ(value(), old);
    scratch_.write("weights", "new");
    EXPECT_NE(value(), old);
}

TEST_F(Fingerprint, IsNotOfFilesThatTheSchedulerWrites) {
    for (const char *parameter : {"report", "explain", "trace_out"}) {
        name(parameter, scratch_.write("written", "at first"));
        const uint64_t first = value();
        scratch_.write("written", "then");
        EXPECT_EQ(value(), first) << parameter;
    }
}

TEST_F(Fingerprint, IsOfSizesAndOfTheDevicesEnvironment) {
    const uint64_t before = value();
    settings_.environment = {{"HL_OCL_DEVICE_TYPE", "cpu"}};
    const uint64_t on_cpu = value();
    EXPECT_NE(on_cpu, before);
    application_.sizes["full"] = {{"width", "128"}};
    EXPECT_NE(value(), on_cpu);
}

TEST_F(Fingerprint, OfAComparisonIsOfHowManyDisturbSearchesAndOfRepeats) {
    const auto of_comparison = [&] {
        return comparison_fingerprint(settings_, {}, application_).value();
    };
    const uint64_t alone = of_comparison(), of_any = value();
    settings_.jobs = 4;
    const uint64_t disturbed = of_comparison();
    EXPECT_NE(disturbed, alone);
    EXPECT_EQ(value(), of_any) << "of a comparison without search times";
    settings_.repeats = 7;
    EXPECT_NE(of_comparison(), disturbed);
}

TEST(KeptRows, OfLaterApplicationsAreReportedWhileEarlierOnesAreMeasured) {
    const Scratch scratch;
    const ComparisonSettings settings{
        .applications = {{.name = "first", .sizes = {{"full", {{"width", "64"}}}}},
                         {.name = "last", .sizes = {{"full", {{"width", "64"}}}}}},
        .contenders = {{.label = "gpu", .plugin = "libnowhere.so"}},  // fails without a process
        .model = *find_preset("A100"),
        .folder = scratch.path("out")};
    const ComparisonRow kept = sample::row("last", "gpu");
    const uint64_t key = comparison_fingerprint(settings, {}, settings.applications[1]).value();
    ASSERT_TRUE(KeptRows<ComparisonRow>(settings.folder, "last", key).save({kept}));
    std::vector<std::vector<ComparisonRow>> reported;
    ASSERT_TRUE(compare_schedulers(settings, {}, {}, [&](const std::vector<ComparisonRow> &so_far) {
        reported.push_back(so_far);
    }));
    ASSERT_EQ(reported.size(), 2u);
    for (const std::vector<ComparisonRow> &rows : reported) {
        ASSERT_EQ(rows.size(), 2u);
        EXPECT_EQ(rows[0].app, "first");
        EXPECT_EQ(rows[1], kept);
    }
}

TEST_F(Fingerprint, IsOfTolerancesAndOfInputs) {
    const uint64_t before = value();
    application_.inputs = {{"input", {.least = -1}}};
    const uint64_t with_inputs = value();
    EXPECT_NE(with_inputs, before);
    application_.inputs["input"].greatest = 2;
    EXPECT_NE(value(), with_inputs);
    application_.inputs = {};
    EXPECT_EQ(value(), before);
    application_.tolerance.relative = 0;
    EXPECT_NE(value(), before);
}

TEST(KeptRows, AreThoseOfTheSameKey) {
    const Scratch scratch;
    const std::vector<ComparisonRow> rows = {
        sample::row("blur", "gpu"),
        sample::failed_row("blur", "manual", FailureKind::crash, "it did")};
    EXPECT_FALSE(KeptRows<ComparisonRow>(scratch.path("out"), "blur", 1).load());
    ASSERT_TRUE(KeptRows<ComparisonRow>(scratch.path("out"), "blur", 1).save(rows));
    EXPECT_EQ(KeptRows<ComparisonRow>(scratch.path("out"), "blur", 1).load(), rows);
    EXPECT_FALSE(KeptRows<ComparisonRow>(scratch.path("out"), "blur", 2).load());
    EXPECT_FALSE(KeptRows<ComparisonRow>(scratch.path("out"), "harris", 1).load());
}

TEST(KeptRows, AreNoneWhereOneSaysNothingOfItsSchedule) {
    const Scratch scratch;
    for (const FailureKind kind : {FailureKind::setup, FailureKind::lost}) {
        const KeptRows<ComparisonRow> kept(scratch.path("out"), "blur", 1);
        ASSERT_TRUE(kept.save({sample::row("blur", "gpu"),
                               sample::failed_row("blur", "manual", kind, "it was killed")}));
        EXPECT_FALSE(kept.load());
    }
}

}  // namespace
}  // namespace autoschedule_gpu
