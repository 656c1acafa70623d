#include "tune/contest/contest_tables.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "present/text.h"
#include "tune/contest/standings.h"
#include "tune/strategies/tune_options.h"

namespace autoschedule_gpu {
namespace {

constexpr double kNearlyDone = 0.05;
constexpr std::array kPartsOfTheTrials = {8, 4, 2, 1};

std::string number(double value, const char *format) {
    char text[48];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string ms_text(double ms) {
    return number(ms, "%.4g");
}

std::string from_to(double low, double high, const char *format) {
    return number(low, format) + " to " + number(high, format);
}

// Without "median (least to greatest)", where there is one value.
std::string spread_text(const std::vector<double> &values, const char *format) {
    if (values.empty()) return "-";
    const std::string middle = number(median(values), format);
    if (values.size() == 1) return middle;
    const auto [least, greatest] = std::ranges::minmax(values);
    return middle + " (" + from_to(least, greatest, format) + ")";
}

using Figure = std::function<std::optional<double>(const ContestRun &)>;

std::vector<double> figures_of(const Seeds &seeds, const Figure &figure) {
    std::vector<double> values;
    for (const ContestRun *run : seeds) {
        if (const auto value = figure(*run)) values.push_back(*value);
    }
    return values;
}

std::optional<double> gain_of(const ContestRun &run) {
    return run.gain();
}

std::optional<double> known_seconds(const ContestRun &run) {
    return run.seconds > 0 ? std::optional(run.seconds) : std::nullopt;
}

// "apart from grid, random", of those that gain less.
std::string apart_text(const std::vector<OverallGain> &overall, size_t i) {
    std::string names;
    for (size_t other = i + 1; other < overall.size(); ++other) {
        if (!are_apart(overall[i].interval, overall[other].interval)) continue;
        names += (names.empty() ? "" : ", ") + overall[other].strategy;
    }
    return names.empty() ? "-" : names;
}

// " Left out: seed 3, under which top5 has no gain on harris."
std::string left_out_text(const std::vector<ContestRun> &runs) {
    std::string text;
    for (const std::string &one : left_out_of_overall(runs)) {
        text += (text.empty() ? " Left out: " : "; ") + one;
    }
    return text.empty() ? "" : text + ".";
}

std::vector<TableColumn> columns_of(std::string first, const std::vector<std::string> &others,
                                    const std::string &unit) {
    std::vector<TableColumn> columns = {{.title = std::move(first)}};
    for (const std::string &name : others) {
        columns.push_back({.title = name, .unit = unit, .of_numbers = true});
    }
    return columns;
}

struct Leader {
    std::string strategy;
    double best_ms = 0;
    double next_ms = 0;  // of the second; 0: there is none
};

std::optional<Leader> leader_after(const std::vector<ContestRun> &runs, const std::string &app,
                                   int trials) {
    std::vector<std::pair<double, std::string>> standing;
    for (const std::string &strategy : strategies_of(runs)) {
        const Seeds seeds = seeds_of(runs, app, strategy);
        const std::vector<double> best_ms = figures_of(
            seeds, [&](const ContestRun &run) { return best_at(run, CourseAxis::trials, trials); });
        // Medians over the lucky seeds alone would not compare.
        if (seeds.empty() || best_ms.size() < seeds.size()) continue;
        standing.emplace_back(median(best_ms), strategy);
    }
    if (standing.empty()) return std::nullopt;
    std::ranges::stable_sort(standing, {}, &std::pair<double, std::string>::first);
    return Leader{.strategy = standing[0].second,
                  .best_ms = standing[0].first,
                  .next_ms = standing.size() > 1 ? standing[1].first : 0};
}

// Each once, and never none: of 6 trials the eighth and the quarter are no columns.
std::set<int> parts_of(int trials) {
    std::set<int> parts;
    for (const int part : kPartsOfTheTrials) parts.insert(trials / part);
    parts.erase(0);
    return parts;
}

std::string leader_text(const Leader &leader) {
    std::string text = leader.strategy + " " + ms_text(leader.best_ms) + " ms";
    if (leader.next_ms > 0) {
        text += " (" + number(100 * (leader.next_ms / leader.best_ms - 1), "%.0f") + " %)";
    }
    return text;
}

std::vector<std::string> modes_of(const std::vector<ContestRun> &runs) {
    std::vector<std::string> modes = strategies_of(runs);
    std::erase_if(modes, [](const std::string &name) {
        return !parse_tune_mode(name.substr(0, name.find(':')));
    });
    return modes;
}

// Returns the geometric means over the pipelines of which all columns have a value: over different
// ones they would tell nothing of each other.
TableLine means_line(const std::vector<std::vector<std::optional<double>>> &medians,
                     const char *format) {
    std::vector<std::vector<double>> common;  // one per column
    for (const auto &line : medians) {
        common.resize(line.size());
        if (!std::ranges::all_of(line, [](const auto &value) { return value.has_value(); })) {
            continue;
        }
        for (size_t i = 0; i < line.size(); ++i) common[i].push_back(*line[i]);
    }
    const size_t apps = common.empty() ? 0 : common.front().size();
    const std::string of_some = apps < medians.size() ? " of " + std::to_string(apps) : "";
    TableLine means{.cells = {{"geometric mean" + of_some}}};
    for (const std::vector<double> &values : common) {
        means.cells.push_back({values.empty() ? "-" : number(geometric_mean(values), format)});
    }
    return means;
}

// A line of figures per pipeline, and their geometric means.
TableSection section_of(const std::vector<ContestRun> &runs,
                        const std::vector<std::string> &strategies, std::string title,
                        const Figure &figure, const char *format) {
    TableSection section{.title = std::move(title)};
    std::vector<std::vector<std::optional<double>>> medians;  // one per strategy in each line
    for (const std::string &app : apps_of(runs)) {
        TableLine line{.cells = {{app}}};
        auto &of_app = medians.emplace_back();
        for (const std::string &strategy : strategies) {
            const std::vector<double> values = figures_of(seeds_of(runs, app, strategy), figure);
            line.cells.push_back({spread_text(values, format)});
            of_app.push_back(values.empty() ? std::nullopt : std::optional(median(values)));
        }
        section.lines.push_back(std::move(line));
    }
    section.lines.push_back(means_line(medians, format));
    return section;
}

TableLine verified_line(const std::string &strategy, const Seeds &seeds) {
    const auto spread = [&](const char *format, const Figure &figure) {
        return TableCell{spread_text(figures_of(seeds, figure), format)};
    };
    return {.cells = {{strategy},
                      {std::to_string(seeds.size())},
                      spread("%.4g", [](const ContestRun &run) { return run.best.median_ms; }),
                      spread("%.2f", gain_of),
                      spread("%.0f", [](const ContestRun &run) { return run.trials; }),
                      spread("%.0f", [](const ContestRun &run) { return run.different; }),
                      spread("%.0f", [](const ContestRun &run) { return run.failed; })}};
}

// The best is that with the greatest gain: it was measured beside the untuned schedule, the times
// of two runs were not measured beside each other.
TableSection verified_section(const std::vector<ContestRun> &runs, const std::string &app) {
    TableSection section{.title = app};
    double most = 0;
    size_t best = 0;
    for (const std::string &strategy : strategies_of(runs)) {
        const Seeds seeds = seeds_of(runs, app, strategy);
        if (seeds.empty()) continue;
        const std::vector<double> gains = figures_of(seeds, gain_of);
        if (!gains.empty() && median(gains) > most) {
            most = median(gains);
            best = section.lines.size();
        }
        section.lines.push_back(verified_line(strategy, seeds));
    }
    if (most > 0) section.lines[best].cells[3].mark = CellMark::best;
    return section;
}

}  // namespace

Table overall_table(const std::vector<ContestRun> &runs) {
    const std::vector<OverallGain> overall = overall_gains(runs);
    if (overall.empty()) return {};
    Table table{.title = "Overall",
                .caption =
                    "How many times as fast as without tuning the winners are: geometric "
                    "means over " +
                    std::to_string(overall.front().apps) + " applications and " +
                    std::to_string(overall.front().seeds) + " seeds.",
                .columns = {{.title = "strategy"},
                            {.title = "gain", .of_numbers = true},
                            {.title = "interval", .of_numbers = true},
                            {.title = "apart from"}},
                .legend =
                    "Two are apart if their intervals do not overlap. An interval is about "
                    "what seeds change, on these applications; of one seed there is none." +
                    left_out_text(runs)};
    TableSection section;
    for (size_t i = 0; i < overall.size(); ++i) {
        const ConfidenceInterval &interval = overall[i].interval;
        const std::string text = interval.confidence == 0
                                     ? "-"
                                     : from_to(interval.low, interval.high, "%.3f") + " (" +
                                           number(100 * interval.confidence, "%.0f") + " %)";
        const CellMark mark = i == 0 ? CellMark::best : CellMark::none;
        section.lines.push_back({.cells = {{overall[i].strategy, mark},
                                           {number(overall[i].gain, "%.3f"), mark},
                                           {text},
                                           {apart_text(overall, i)}}});
    }
    table.sections.push_back(std::move(section));
    return table;
}

Table verified_table(const std::vector<ContestRun> &runs) {
    Table table{.title = "Verified best",
                .caption =
                    "The winners of the finals, in which they ran beside the schedule "
                    "without tuning and after which their outputs were compared with the "
                    "reference: median over the seeds, least and greatest.",
                .section_column = "application",
                .columns = {{.title = "strategy"},
                            {.title = "seeds", .of_numbers = true},
                            {.title = "best", .unit = "ms", .of_numbers = true},
                            {.title = "times as fast as untuned", .of_numbers = true},
                            {.title = "trials", .of_numbers = true},
                            {.title = "different codes", .of_numbers = true},
                            {.title = "failed", .of_numbers = true}}};
    for (const std::string &app : apps_of(runs)) {
        table.sections.push_back(verified_section(runs, app));
    }
    return table;
}

Table leaders_table(const std::vector<ContestRun> &runs) {
    const std::set<int> parts = parts_of(std::ranges::max(runs, {}, &ContestRun::trials).trials);
    if (parts.empty()) return {};
    Table table{.title = "Who leads when",
                .caption =
                    "The strategy with the least median, over the seeds, of the best so "
                    "far, of those that have measured something by then under every seed; in "
                    "brackets, by how much the next is slower.",
                .columns = {{.title = "application"}}};
    for (const int trials : parts) {
        table.columns.push_back({.title = std::to_string(trials) + " trials"});
    }
    TableSection section;
    for (const std::string &app : apps_of(runs)) {
        TableLine line{.cells = {{app}}};
        for (const int trials : parts) {
            const auto leader = leader_after(runs, app, trials);
            line.cells.push_back({leader ? leader_text(*leader) : "-"});
        }
        section.lines.push_back(std::move(line));
    }
    table.sections.push_back(std::move(section));
    return table;
}

Table convergence_table(const std::vector<ContestRun> &runs) {
    const std::vector<std::string> strategies = strategies_of(runs);
    Table table{.title = "Convergence",
                .caption =
                    "After how many trials, and after how long, strategies are within 5 % "
                    "of the best that they find: median over the seeds, least and "
                    "greatest.",
                .section_column = "until then",
                .columns = columns_of("application", strategies, "")};
    const auto nearly = [](const ContestRun &run) { return nearly_done(run, kNearlyDone); };
    table.sections.push_back(section_of(
        runs, strategies, "trials",
        [&](const ContestRun &run) {
            const CoursePoint *point = nearly(run);
            return point != nullptr ? std::optional<double>(point->trials) : std::nullopt;
        },
        "%.0f"));
    const bool is_timed =
        std::ranges::any_of(runs, [](const ContestRun &run) { return run.seconds > 0; });
    if (!is_timed) return table;
    table.sections.push_back(section_of(
        runs, strategies, "seconds",
        [&](const ContestRun &run) {
            const CoursePoint *point = nearly(run);
            const bool is_known = point != nullptr && point->seconds > 0;
            return is_known ? std::optional<double>(point->seconds) : std::nullopt;
        },
        "%.1f"));
    return table;
}

Table modes_table(const std::vector<ContestRun> &runs) {
    const std::vector<std::string> modes = modes_of(runs);
    if (modes.empty()) return {};
    Table table{.title = "Modes",
                .caption =
                    "As in Anderson et al. 2021, figures 6 and 7 (here over the schedule "
                    "without tuning) and table 4: median over the seeds, least and "
                    "greatest.",
                .section_column = "figure",
                .columns = columns_of("application", modes, "")};
    table.sections.push_back(section_of(runs, modes, "times as fast as untuned", gain_of, "%.2f"));
    const bool is_timed =
        std::ranges::any_of(runs, [](const ContestRun &run) { return run.seconds > 0; });
    if (is_timed) {
        table.sections.push_back(
            section_of(runs, modes, "seconds, all of the search", known_seconds, "%.1f"));
    }
    return table;
}

Table predictions_table(const std::vector<ContestRun> &runs) {
    Table table{.title = "Predictions",
                .caption =
                    "What the schedule that the model liked best took, and what all took on "
                    "average, over the fastest: before and after the model was retrained "
                    "(Anderson et al. 2021, section 6.4 and figure 8). All runs together.",
                .columns = {{.title = "application"},
                            {.title = "chosen before", .of_numbers = true},
                            {.title = "average before", .of_numbers = true},
                            {.title = "chosen after", .of_numbers = true},
                            {.title = "average after", .of_numbers = true}}};
    TableSection section;
    for (const std::string &app : apps_of(runs)) {
        std::vector<Prediction> untrained, retrained;
        for (const ContestRun &run : runs) {
            if (run.app != app) continue;
            untrained.insert(untrained.end(), run.untrained.begin(), run.untrained.end());
            retrained.insert(retrained.end(), run.retrained.begin(), run.retrained.end());
        }
        if (untrained.empty() && retrained.empty()) continue;
        TableLine line{.cells = {{app}}};
        for (const auto *predictions : {&untrained, &retrained}) {
            const auto choice =
                predictions->empty() ? std::nullopt : std::optional(predicted_choice(*predictions));
            line.cells.push_back({choice ? number(choice->chosen, "%.2f") : "-"});
            line.cells.push_back({choice ? number(choice->mean, "%.2f") : "-"});
        }
        section.lines.push_back(std::move(line));
    }
    if (section.lines.empty()) return {};
    table.sections.push_back(std::move(section));
    return table;
}

Table failed_table(const std::vector<FailedRun> &failed) {
    if (failed.empty()) return {};
    Table table{.title = "Failed runs",
                .caption = "They led to nothing, and are made again by the next call.",
                .columns = {{.title = "application"},
                            {.title = "strategy"},
                            {.title = "seed", .of_numbers = true},
                            {.title = "why"}}};
    TableSection section;
    for (const FailedRun &run : failed) {
        section.lines.push_back({.cells = {{run.app},
                                           {run.strategy},
                                           {std::to_string(run.seed)},
                                           {clean_text(run.why), CellMark::failed}},
                                 .failed = true});
    }
    table.sections.push_back(std::move(section));
    return table;
}

std::vector<Table> contest_tables(const std::vector<ContestRun> &runs,
                                  const std::vector<FailedRun> &failed) {
    std::vector<Table> tables;
    if (!runs.empty()) {
        tables = {overall_table(runs),     verified_table(runs), leaders_table(runs),
                  convergence_table(runs), modes_table(runs),    predictions_table(runs)};
    }
    tables.push_back(failed_table(failed));
    std::erase_if(tables, [](const Table &table) { return table.empty(); });
    return tables;
}

}  // namespace autoschedule_gpu
