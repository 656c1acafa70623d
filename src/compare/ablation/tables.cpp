#include "compare/ablation/tables.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "compare/ablation/configuration.h"
#include "compare/ablation/row_figures.h"
#include "compare/rows/metrics.h"
#include "compare/rows/tables.h"
#include "present/text.h"

namespace autoschedule_gpu {
namespace {

using Values = std::vector<std::optional<double>>;  // a line's values, one per column

struct Column {
    TableColumn shown = {};
    std::vector<std::string> configurations = {};  // of these, the first that is ok is shown
    bool is_yardstick = false;                     // not compared; may lack applications
};

// The rows of a table by line and column; null where there is none.
struct Grid {
    std::vector<std::string> apps = {};
    std::vector<Column> columns = {};
    std::vector<std::vector<const AblationRow *>> rows = {};
};

// The texts that go with the values of a grid.
struct Wording {
    std::string title = {};
    std::string caption = {};
    std::string unit = {};
    std::string legend = {};
    Better better = Better::lower;
    std::string (*text)(double) = decimal_text;
    bool with_shares = false;  // as a percentage of the column `none`, in parentheses
};

constexpr const char *kLegendOfHeads = "s: hierarchical sampling, f: freezing. ";
constexpr const char *kLegendOfCells = "cut off: the time limit ended the search.";

// ---- columns ----

TableColumn shown_column(const std::string &title, const std::string &above,
                         const std::string &below) {
    return {.title = title, .head = {above, below}, .of_numbers = true};
}

Column default_column() {
    const std::string name(kDefaultConfiguration);
    return {.shown = shown_column(name, name, ""), .configurations = {name}};
}

Column yardstick_column() {
    const std::string name(kExhaustiveConfiguration);
    return {.shown = shown_column(name, "exhaus-", "tive"),
            .configurations = {name},
            .is_yardstick = true};
}

std::string letters(bool sampling, bool freeze) {
    if (sampling) return freeze ? "s+f" : "s";
    return freeze ? "f" : "neither";
}

std::vector<Column> columns_of_configurations() {
    std::vector<Column> columns;
    for (const bool memo : {true, false}) {
        for (const bool sampling : {true, false}) {
            for (const bool freeze : {true, false}) {
                const std::string name = configuration_name(memo, sampling, freeze);
                columns.push_back({.shown = shown_column(name, memo ? "memo" : "no memo",
                                                         letters(sampling, freeze)),
                                   .configurations = {name}});
            }
        }
    }
    columns.push_back(default_column());
    columns.push_back(yardstick_column());
    return columns;
}

// Columns do not tell memo on from off, because the memo does not change which states are visited.
std::vector<Column> columns_of_states() {
    std::vector<Column> columns;
    for (const bool sampling : {true, false}) {
        for (const bool freeze : {true, false}) {
            const std::string name = configuration_name(false, sampling, freeze);
            columns.push_back(
                {.shown = shown_column(name, letters(sampling, freeze), ""),
                 .configurations = {configuration_name(true, sampling, freeze), name}});
        }
    }
    columns.push_back(default_column());
    return columns;
}

// ---- grids ----

Grid grid_of(const std::vector<AblationRow> &rows, const std::vector<Column> &columns) {
    Grid grid{.apps = apps_of(rows)};
    grid.rows.resize(grid.apps.size());
    for (const Column &column : columns) {
        std::vector<const AblationRow *> found;
        for (const std::string &app : grid.apps) {
            found.push_back(find_row(rows, app, column.configurations));
        }
        if (std::all_of(found.begin(), found.end(), [](auto *row) { return row == nullptr; })) {
            continue;
        }
        grid.columns.push_back(column);
        for (size_t i = 0; i < found.size(); i++) grid.rows[i].push_back(found[i]);
    }
    return grid;
}

// Returns the values of searches that made all their passes. Values of zero are left out, because
// they have no ratio.
template <typename Value>
std::vector<Values> values_of(const Grid &grid, const Value &value) {
    std::vector<Values> values;
    for (const auto &line : grid.rows) {
        Values &of_line = values.emplace_back();
        for (const AblationRow *row : line) {
            const bool counts = row != nullptr && row->completed();
            const std::optional<double> found = counts ? value(*row) : std::nullopt;
            of_line.push_back(found && *found > 0 ? found : std::nullopt);
        }
    }
    return values;
}

std::optional<size_t> column_of(const Grid &grid, std::string_view configuration) {
    for (size_t c = 0; c < grid.columns.size(); c++) {
        if (grid.columns[c].configurations.back() == configuration) return c;
    }
    return std::nullopt;
}

// ---- means ----

struct Means {
    Values values = {};
    size_t apps = 0;
};

// Returns the geometric means over the applications that have a value in every column. A column
// without any value does not count, and neither does the yardstick, which has no mean if it lacks
// one of these applications.
Means means_of(const Grid &grid, const std::vector<Values> &values) {
    const auto lacks_all = [&](size_t c) {
        return std::none_of(values.begin(), values.end(), [&](const Values &v) { return v[c]; });
    };
    std::vector<const Values *> complete;
    for (const Values &line : values) {
        bool has_all = true;
        for (size_t c = 0; c < line.size(); c++) {
            has_all &= line[c] || grid.columns[c].is_yardstick || lacks_all(c);
        }
        if (has_all) complete.push_back(&line);
    }
    Means means{.values = Values(grid.columns.size()), .apps = complete.size()};
    for (size_t c = 0; c < grid.columns.size() && !complete.empty(); c++) {
        double logarithms = 0;
        const bool has_mean =
            std::all_of(complete.begin(), complete.end(), [&](auto *line) { return (*line)[c]; });
        if (!has_mean) continue;
        for (const Values *line : complete) logarithms += std::log(*(*line)[c]);
        means.values[c] = std::exp(logarithms / static_cast<double>(complete.size()));
    }
    return means;
}

// ---- tables ----

std::string whole_text(double value) {
    return std::to_string(std::llround(value));
}

TableCell empty_cell(const AblationRow *row) {
    if (row == nullptr) return {.text = "-"};
    if (row->failure) {
        return {.text = std::string(to_string(row->failure->kind)), .mark = CellMark::failed};
    }
    return row->completed() ? TableCell{.text = "-"}
                            : TableCell{.text = "cut off", .mark = CellMark::failed};
}

// `whole` is what a share refers to; 0 if it is unknown.
std::string value_text(const Wording &wording, double value, double whole) {
    std::string text = wording.text(value);
    if (wording.with_shares && whole > 0) text += " (" + decimal_text(100 * value / whole) + "%)";
    return text;
}

// Returns the text of the best value of a line; empty if all are equal.
std::string best_text(const Grid &grid, const Wording &wording, const Values &values) {
    std::optional<double> best;
    std::set<std::string> texts;
    for (size_t c = 0; c < values.size(); c++) {
        if (!values[c] || grid.columns[c].is_yardstick) continue;
        texts.insert(wording.text(*values[c]));
        const bool better = wording.better == Better::lower ? *values[c] < best.value_or(INFINITY)
                                                            : *values[c] > best.value_or(0);
        if (better) best = values[c];
    }
    return texts.size() > 1 ? wording.text(*best) : "";
}

TableLine line_of(const Grid &grid, const Wording &wording, const std::string &title,
                  const Values &values, const std::vector<const AblationRow *> &rows) {
    const std::optional<size_t> base = column_of(grid, configuration_name(false, false, false));
    const double whole = base ? values[*base].value_or(0) : 0;
    const std::string best = best_text(grid, wording, values);
    TableLine line{.cells = {{.text = clean_text(title)}}};
    for (size_t c = 0; c < values.size(); c++) {
        if (!values[c]) {
            line.cells.push_back(empty_cell(rows.empty() ? nullptr : rows[c]));
            continue;
        }
        TableCell &cell = line.cells.emplace_back();
        cell.text = value_text(wording, *values[c], whole);
        const bool is_best = !grid.columns[c].is_yardstick && wording.text(*values[c]) == best;
        if (is_best) cell.mark = CellMark::best;
    }
    return line;
}

Table table_of(const Grid &grid, const Wording &wording, const std::vector<Values> &values) {
    Table table{.title = wording.title, .caption = wording.caption};
    table.columns.push_back({.title = "application"});
    for (const Column &column : grid.columns) {
        table.columns.push_back(column.shown);
        table.columns.back().unit = wording.unit;
    }
    TableSection &section = table.sections.emplace_back();
    for (size_t i = 0; i < grid.apps.size(); i++) {
        section.lines.push_back(line_of(grid, wording, grid.apps[i], values[i], grid.rows[i]));
    }
    const Means means = means_of(grid, values);
    if (means.apps > 0) {
        const std::string of_some =
            means.apps < grid.apps.size() ? " of " + std::to_string(means.apps) : "";
        section.lines.push_back(line_of(grid, wording, "geomean" + of_some, means.values, {}));
    }
    table.legend = wording.legend;
    return table;
}

// Returns how many passes there were, because states are counted over all of them: "Passes made:
// s+f 3 to 5, neither 1. "
std::string passes_text(const Grid &grid) {
    std::string text;
    for (size_t c = 0; c < grid.columns.size(); c++) {
        std::set<int64_t> passes;
        for (const auto &line : grid.rows) {
            if (line[c] != nullptr && line[c]->completed()) passes.insert(line[c]->search->passes);
        }
        if (passes.empty()) continue;
        text += (text.empty() ? "Passes made: " : ", ") + grid.columns[c].shown.head[0] + " " +
                std::to_string(*passes.begin());
        if (passes.size() > 1) text += " to " + std::to_string(*passes.rbegin());
    }
    return text.empty() ? "" : text + ". ";
}

Table states_table(const Grid &grid, const std::string &title, const std::string &caption,
                   int64_t SearchFigures::*figure) {
    const auto value = [figure](const AblationRow &row) -> std::optional<double> {
        return static_cast<double>((*row.search).*figure);
    };
    return table_of(grid,
                    {.title = title,
                     .caption = caption,
                     .legend = passes_text(grid) + kLegendOfHeads + kLegendOfCells,
                     .text = whole_text,
                     .with_shares = true},
                    values_of(grid, value));
}

// Returns an empty table if there is no search with everything off.
Table speedup_table(const Grid &grid) {
    const std::optional<size_t> base = column_of(grid, configuration_name(false, false, false));
    if (!base) return {};
    std::vector<Values> values = values_of(grid, search_s);
    for (Values &line : values) {
        const std::optional<double> slowest = line[*base];
        for (std::optional<double> &value : line) {
            value = value && slowest ? std::optional(*slowest / *value) : std::nullopt;
        }
    }
    return table_of(grid,
                    {.title = "Speedup of the search",
                     .caption = "Times faster than with all three off (their table 3).",
                     .legend = std::string(kLegendOfHeads) + kLegendOfCells,
                     .better = Better::higher},
                    values);
}

Table predicted_table(const Grid &grid) {
    const std::optional<size_t> yardstick = column_of(grid, kExhaustiveConfiguration);
    std::vector<Values> values = values_of(grid, predicted_us);
    std::vector<bool> against_best;
    for (Values &line : values) {
        double base = INFINITY;
        for (const std::optional<double> &value : line) base = std::min(base, value.value_or(base));
        const bool has_yardstick = yardstick && line[*yardstick];
        if (has_yardstick) base = *line[*yardstick];
        against_best.push_back(yardstick && !has_yardstick);
        for (std::optional<double> &value : line) {
            if (value) value = *value / base;
        }
    }
    Table table =
        table_of(grid,
                 {.title = "Predicted cost",
                  .caption = std::string("Of the schedule that is chosen, by the cost model, ") +
                             (yardstick ? "divided by that of the exhaustive search."
                                        : "divided by the least of its line.") +
                             " Below 1 is better than that.",
                  .legend = std::string(kLegendOfHeads) + kLegendOfCells},
                 values);
    for (size_t i = 0; i < grid.apps.size(); i++) {
        std::string &note = table.sections[0].lines[i].note;
        note = other_choices(grid.rows[i]);
        if (against_best[i]) note += (note.empty() ? "" : "; ") + std::string("against the best");
    }
    return table;
}

}  // namespace

// As the comparison shows failures.
Table refusals_table(const std::vector<AblationRow> &rows) {
    std::vector<ComparisonRow> failed;
    for (const AblationRow &row : rows) {
        if (row.ok()) continue;
        failed.push_back({.app = row.app,
                          .scheduler = row.configuration,
                          .failure = row.failure,
                          .reproduce = row.reproduce});
    }
    Table table = failures_table(failed);
    if (!table.empty()) table.columns[1].title = "configuration";
    return table;
}

std::vector<Table> ablation_tables(const std::vector<AblationRow> &rows,
                                   const std::string &machine) {
    if (rows.empty()) return {};
    const std::string where = "Size " + rows.front().size + ", scheduled for " + rows.front().gpu;
    const std::string legend = std::string(kLegendOfHeads) + kLegendOfCells;
    const Grid states = grid_of(rows, columns_of_states());
    const Grid searches = grid_of(rows, columns_of_configurations());
    return {states_table(states, "States evaluated",
                         where + ". Successors that got a cost, in parentheses per cent of those "
                                 "without sampling and freezing (table 1 of Anderson et al. 2021).",
                         &SearchFigures::states_scored),
            states_table(states, "States enumerated",
                         "Decisions that were listed, before sampling and pruning.",
                         &SearchFigures::states_enumerated),
            table_of(searches,
                     {.title = "Search time",
                      .caption = "The search alone, the median where it was repeated (their table "
                                 "2); on " +
                                 clean_text(machine) + ".",
                      .unit = "s",
                      .legend = legend},
                     values_of(searches, search_s)),
            speedup_table(searches),
            predicted_table(searches),
            table_of(searches,
                     {.title = "Peak memory",
                      .caption = "Resident memory of the generator up to the schedule, Halide's "
                                 "libraries included (their table 5).",
                      .unit = "MiB",
                      .legend = legend},
                     values_of(searches, [](const AblationRow &row) { return row.peak_mb; })),
            refusals_table(rows)};
}

}  // namespace autoschedule_gpu
