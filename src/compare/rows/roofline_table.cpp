#include "compare/rows/metrics.h"
#include "compare/rows/roofline.h"
#include "compare/rows/table_words.h"
#include "compare/rows/tables.h"
#include "present/text.h"

namespace autoschedule_gpu {

namespace {

TableColumn number(const char *title, const char *first, const char *second, const char *unit) {
    return {.title = title, .head = {first, second}, .unit = unit, .of_numbers = true};
}

void add_time_columns(const std::string &kind, std::vector<TableColumn> &columns) {
    columns.push_back(number((kind + " time").c_str(), kind.c_str(), "time", "ms"));
    columns.push_back(number((kind + " performance").c_str(), kind.c_str(), "perf.", "Gop/s"));
    columns.push_back(number((kind + " share").c_str(), kind.c_str(), "share", "%"));
}

void add_time_cells(const RooflineRow &row, const std::optional<double> &ms, TableLine &line) {
    if (!ms) {
        line.cells.insert(line.cells.end(), 3, {.text = kUnknown});
        return;
    }
    for (const double value : {*ms, row.figures->gop_per_s(*ms), 100 * row.figures->share(*ms)}) {
        line.cells.push_back({.text = decimal_text(value)});
    }
}

TableLine line_of(const RooflineRow &row, size_t columns) {
    TableLine line = {.cells = {{.text = clean_text(row.row->scheduler)}}};
    if (!row.figures) {
        line.cells.insert(line.cells.end(), columns - 1, {.text = kUnknown});
        line.note = row.unknown;
        line.failed = row.row->failure.has_value();
        return line;
    }
    constexpr double kGiga = 1e9, kMega = 1e6;
    const RooflineFigures &figures = *row.figures;
    const std::string about = figures.exact ? "" : "~";
    for (const std::string &text :
         {about + decimal_text(figures.operations / kGiga), decimal_text(figures.recomputation()),
          about + decimal_text(figures.dram_bytes / kMega), decimal_text(figures.intensity),
          to_string(figures.bound), decimal_text(figures.attainable_gop_per_s)}) {
        line.cells.push_back({.text = text});
    }
    add_time_cells(row, row.predicted_ms, line);
    if (line.cells.size() < columns) add_time_cells(row, row.measured_ms, line);
    return line;
}

std::string roof_text(const RowRoofs &roofs) {
    return decimal_text(roofs.float_gop_per_s) + " Gop/s on floats, " +
           decimal_text(roofs.integer_gop_per_s) + " on integers, " +
           decimal_text(roofs.dram_gb_per_s) + " GB/s of DRAM";
}

std::string roofs_caption(const std::vector<ComparisonRow> &rows) {
    std::string text;
    for (const auto &[gpu, roofs] : roofs_of(rows)) {
        text += (text.empty() ? "Roofs of " : "; of ") + clean_text(gpu) + ": " + roof_text(roofs);
    }
    return text + ".";
}

}  // namespace

Table roofline_table(const std::vector<ComparisonRow> &rows) {
    Table table;
    if (roofs_of(rows).empty()) return table;
    std::vector<std::pair<std::string, std::vector<RooflineRow>>> all;
    bool measured = false;
    const std::vector<ComparisonGroup> groups = group_rows(rows);
    for (const ComparisonGroup &group : groups) {
        all.emplace_back(clean_text(group.title), roofline_rows(group));
        for (const RooflineRow &row : all.back().second) measured |= row.measured_ms.has_value();
    }
    table.title = "Roofline";
    table.caption = roofs_caption(rows);
    table.section_column = "application";
    table.columns = {{.title = "scheduler"},
                     number("operations", "opera-", "tions", "Gop"),
                     number("times computed", "times", "computed", ""),
                     number("bytes of DRAM", "DRAM", "", "MB"),
                     number("operational intensity", "inten-", "sity", "op/B"),
                     {.title = "bound by", .head = {"bound", "by"}},
                     number("attainable performance", "attain-", "able", "Gop/s")};
    add_time_columns("predicted", table.columns);
    if (measured) add_time_columns("measured", table.columns);
    for (const auto &[title, lines] : all) {
        TableSection &section = table.sections.emplace_back(TableSection{.title = title});
        for (const RooflineRow &row : lines) {
            section.lines.push_back(line_of(row, table.columns.size()));
        }
    }
    table.legend =
        "Operations are arithmetic on floats, and on integers that depend on data. Useful are the "
        "fewest of any schedule of the application; times computed is operations / useful ones. "
        "Intensity is useful operations per byte that must move from and to DRAM; attainable is "
        "the lower one of the peak and of intensity times bandwidth; performance is useful "
        "operations per second, and share that of the attainable. Predicted: by the roofline "
        "model from what is counted. ~: estimated, not counted. -: unknown.";
    return table;
}

}  // namespace autoschedule_gpu
