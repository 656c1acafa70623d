// Writes pages of invented data into a folder, one of each kind, for a browser to open.
#include <cmath>
#include <iostream>
#include <string>

#include "compare/explain/explain_page.h"
#include "compare/explain/schedule_difference.h"
#include "compare/rows/comparison_page.h"
#include "core/support/file.h"
#include "tune/run/page.h"
#include "tune/run/tuner.h"
#include "tune/strategies/registry.h"
#include "unit/compare/explain/sample_report.h"
#include "unit/compare/rows/sample_rows.h"
#include "unit/tune/fake_session.h"

namespace {

using namespace autoschedule_gpu;

// Names as long as they get, figures of several sizes, some that are missing.
std::string comparison() {
    std::vector<ComparisonRow> rows;
    double ms = 0.01;
    for (const char *app : {"unsharp", "depthwise_separable_conv", "local_laplacian", "mat_mul",
                            "hist_equalize", "iir_blur", "max_filter"}) {
        for (const char *scheduler : {"gpu", "manual", "Anderson2021", "Li2018"}) {
            ComparisonRow row = sample::row(app, scheduler);
            row.run_ms = ms *= 1.37;
            rows.push_back(row);
        }
        rows.back() = sample::failed_row(app, "Li2018", FailureKind::ptxas, "too many registers");
    }
    PageHeader header;
    header.title = "Schedulers";
    header.date = "2000-01-01";
    header.command =
        "compare_autoschedulers --apps all --schedulers gpu,manual,Anderson2021,Li2018 "
        "--device cuda --size full --out a/folder/with/a/long/name";
    header.machine = "invented";
    CrossRow cross = sample::cross_row("full", "reduced");
    cross.run_ms = 1;
    return comparison_page(header, rows, {}, {cross});
}

// Measurements that scatter, as those of a CPU do.
std::string tuning() {
    FakeSession fake({8, 8}, 8, [](const FakeExecutor::Point &p) {
        return 1 + p[0] + p[1] + 0.8 * std::sin(double(7 * p[0] + 3 * p[1]));
    });
    const TuneOptions options{.mode = TuneMode::autotune, .batch = 9, .iterations = 3};
    const TuneStrategyRegistry registry;
    const TunePlan plan{.strategies = {registry.find("batch").value().make(options),
                                       registry.find("coordinate_descent").value().make(options)}};
    const Result<Finals> finals = tune(fake.session, plan);
    if (!finals) return finals.error().message;
    return tune_page(
        {.title = "fake tuned",
         .date = "2000-01-01",
         .command = "autotune --app fake --device cuda --budget 30m",
         .reproduce = "fake.generator -g fake -o . autoscheduler.trace=fake.trace.json"},
        fake.session, *finals);
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::cerr << "usage: write_pages FOLDER\n";
        return 2;
    }
    const std::string other = sample::with(sample::kReport, "\"extent\": 512", "\"extent\": 256");
    const std::pair<const char *, std::string> pages[] = {
        {"comparison", comparison()},
        {"tuning", tuning()},
        {"explained", explain_page(sample::kReport).value()},
        {"difference",
         difference_as_page({"a/report.json", sample::kReport}, {"b.json", other}).value()}};
    for (const auto &[name, page] : pages) {
        const std::string path = std::string(argv[1]) + "/" + name + ".html";
        if (const Status written = write_file(path, page); !written) {
            std::cerr << written.error().message << "\n";
            return 1;
        }
    }
    return 0;
}
