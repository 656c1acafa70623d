#include "tune/contest/contest_folder.h"

#include <array>
#include <set>

#include "core/json/json.h"
#include "core/support/file.h"
#include "present/html_page.h"
#include "present/markdown.h"
#include "tune/contest/contest_plots.h"
#include "tune/contest/contest_tables.h"
#include "tune/contest/standings.h"

namespace autoschedule_gpu {
namespace {

constexpr std::array kFiles = {"results.json", "results.md", "index.html"};

// Of all runs: those of a contest that is only shown may be of several.
std::string devices_of(const std::vector<ContestRun> &runs) {
    std::set<std::string> devices;
    for (const ContestRun &run : runs) devices.insert(run.device);
    std::string text;
    for (const std::string &device : devices) text += (text.empty() ? "" : ", ") + device;
    return text;
}

// Nothing where no run has anything to draw.
std::string curves_of(const std::vector<ContestRun> &runs) {
    const std::string drawn = figures(contest_plots(runs));
    if (drawn.empty()) return "";
    return element("p", {}, "The median over the seeds in the band between its quartiles.") + "\n" +
           series_list(strategies_of(runs)) + drawn;
}

std::string page(const ContestHeader &header, const ContestResult &result) {
    std::vector<HtmlSection> sections;
    for (const Table &table : contest_tables(result.runs, result.failed)) {
        sections.push_back(
            {"part" + std::to_string(sections.size()), table.title, captioned(table)});
    }
    sections.push_back({"curves", "Best so far", curves_of(result.runs)});
    return html_page("Tuners compared",
                     {{"date", header.date},
                      {"command", header.command, "code"},
                      {"machine", header.machine},
                      {"device", devices_of(result.runs)}},
                     sections);
}

Json curves_json(const std::vector<ContestRun> &runs) {
    Json curves = Json::array();
    for (const CurvePlot &plot : contest_plots(runs)) {
        for (const Curve &curve : plot.curves) {
            Json points = Json::array();
            for (const CurvePoint &point : curve.points) {
                points.push_back({point.x, point.low, point.middle, point.high});
            }
            curves.push_back({{"of", plot.title},
                              {"x", plot.x_name},
                              {"strategy", curve.label},
                              {"x_low_middle_high_ms", points}});
        }
    }
    return curves;
}

Json overall_json(const std::vector<ContestRun> &runs) {
    Json all = Json::array();
    for (const OverallGain &one : overall_gains(runs)) {
        all.push_back({{"strategy", one.strategy},
                       {"applications", one.apps},
                       {"seeds", one.seeds},
                       {"gain", one.gain},
                       {"interval", {one.interval.low, one.interval.high}},
                       {"confidence", one.interval.confidence}});
    }
    return all;
}

std::string results_json(const ContestHeader &header, const ContestResult &result) {
    Json runs = Json::array();
    for (const ContestRun &run : result.runs) runs.push_back(parse_loosely(to_json(run)));
    Json failed = Json::array();
    for (const FailedRun &run : result.failed) failed.push_back(to_string(run));
    return dump({{"format", "autoschedule_gpu.tuners_compared"},
                 {"version", 1},
                 {"date", header.date},
                 {"command", header.command},
                 {"machine", header.machine},
                 {"failed", failed},
                 {"overall", overall_json(result.runs)},
                 {"curves", curves_json(result.runs)},
                 {"runs", runs}},
                1) +
           "\n";
}

}  // namespace

Status write_contest(const std::string &folder, const ContestHeader &header,
                     const ContestResult &result) {
    if (result.runs.empty() && result.failed.empty()) return Ok{};
    const std::array texts = {results_json(header, result),
                              markdown_text(contest_tables(result.runs, result.failed)),
                              page(header, result)};
    for (size_t i = 0; i < kFiles.size(); ++i) {
        const Status done = write_file(folder + "/" + kFiles[i], texts[i]);
        if (!done) return done;
    }
    return Ok{};
}

EarlierReport earlier_report(const std::string &folder) {
    const Result<std::string> text = read_file(folder + "/" + kFiles[0]);
    const Json json = text ? parse_loosely(*text) : Json();
    if (!json.is_object()) return {};
    const auto said = [&](const char *field) {
        const auto found = json.find(field);
        return found != json.end() && found->is_string() ? found->get<std::string>() : "";
    };
    EarlierReport report{
        .header = {.date = said("date"), .command = said("command"), .machine = said("machine")}};
    const auto failed = json.find("failed");
    if (failed == json.end() || !failed->is_array()) return report;
    for (const Json &one : *failed) {
        auto run = one.is_string() ? parse_failed_run(one.get<std::string>()) : std::nullopt;
        if (run) report.failed.push_back(std::move(*run));
    }
    return report;
}

void remove_contest(const std::string &folder) {
    remove_folder(folder + "/runs");
    for (const char *file : kFiles) remove_file(folder + "/" + file);
}

}  // namespace autoschedule_gpu
