#include "tune/contest/contest_folder.h"

#include "core/json/json.h"
#include "core/support/file.h"
#include "present/html_page.h"
#include "present/markdown.h"
#include "tune/contest/contest_plots.h"
#include "tune/contest/contest_tables.h"
#include "tune/contest/standings.h"

namespace autoschedule_gpu {
namespace {

std::string page(const ContestHeader &header, const std::vector<ContestRun> &runs) {
    std::vector<HtmlSection> sections;
    const std::string drawn = figures(contest_plots(runs));
    for (const Table &table : contest_tables(runs)) {
        sections.push_back(
            {"part" + std::to_string(sections.size()), table.title, captioned(table)});
    }
    sections.push_back(
        {"curves", "Best so far",
         element("p", {}, "The median over the seeds in the band between its quartiles.") + "\n" +
             series_list(strategies_of(runs)) + drawn});
    return html_page("Tuners compared",
                     {{"date", header.date},
                      {"command", header.command, "code"},
                      {"machine", header.machine},
                      {"device", runs.front().device}},
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
    return dump({{"format", "autoschedule_gpu.tuners_compared"},
                 {"version", 1},
                 {"date", header.date},
                 {"command", header.command},
                 {"machine", header.machine},
                 {"failed", result.failed},
                 {"overall", overall_json(result.runs)},
                 {"curves", curves_json(result.runs)},
                 {"runs", runs}},
                1) +
           "\n";
}

}  // namespace

Status write_contest(const std::string &folder, const ContestHeader &header,
                     const ContestResult &result) {
    if (result.runs.empty()) return Ok{};
    const std::string json = results_json(header, result);
    if (Status done = write_file(folder + "/results.json", json); !done) return done;
    const std::string markdown = markdown_text(contest_tables(result.runs));
    if (Status done = write_file(folder + "/results.md", markdown); !done) return done;
    return write_file(folder + "/index.html", page(header, result.runs));
}

}  // namespace autoschedule_gpu
