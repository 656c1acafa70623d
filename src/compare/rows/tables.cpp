#include "compare/rows/tables.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "compare/rows/groups.h"
#include "compare/rows/losses.h"
#include "compare/rows/metrics.h"
#include "compare/rows/summary.h"
#include "compare/rows/table_words.h"
#include "present/text.h"

namespace autoschedule_gpu {

namespace {

TableColumn column_of(const ComparisonMetric &metric) {
    return {.title = std::string(metric.title),
            .head = {std::string(metric.head[0]), std::string(metric.head[1])},
            .unit = std::string(metric.unit),
            .of_numbers = true};
}

TableCell text_cell(std::string_view text) {
    return {.text = clean_text(text)};
}

std::string listed(const std::vector<std::string> &names) {
    std::string text;
    for (const std::string &name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::string value_text(const ComparisonMetric &metric, const ComparedRow &compared) {
    const std::optional<double> value = metric.value(*compared.row, compared.totals);
    if (!value) return kUnknown;
    const bool estimated = metric.of_traffic && !compared.totals.traffic_is_exact;
    return (estimated ? "~" : "") + metric_text(metric, *value);
}

std::string with_unit(const ComparisonMetric &metric, double value) {
    return metric_text(metric, value) + (metric.unit.empty() ? "" : " ") + std::string(metric.unit);
}

// ---- the big table ----

std::string interval_text(const std::optional<RowInterval> &interval, int64_t samples) {
    if (!interval) return "";
    return decimal_text(interval->low) + " to " + decimal_text(interval->high) +
           ", n = " + std::to_string(samples);
}

std::string detail_of(const ComparisonMetric &metric, const ComparisonRow &row) {
    if (metric.key == "search_s") return interval_text(row.search_s_interval, row.search_s_samples);
    if (metric.key == "run_ms") return interval_text(row.run_ms_interval, row.run_samples);
    return "";
}

TableCell verified_cell(const ComparisonRow &row) {
    TableCell cell = {.text = !row.verified ? kUnknown : *row.verified ? "yes" : "no"};
    std::vector<std::string> sizes;
    for (const VerifiedSize &size : row.verified_sizes) {
        sizes.push_back(clean_text(size.size) + (size.ok ? "" : ": no"));
    }
    cell.detail = listed(sizes);
    return cell;
}

TableLine line_of(const ComparedRow &compared) {
    const ComparisonRow &row = *compared.row;
    TableLine line;
    line.cells.push_back(text_cell(row.scheduler));
    for (const ComparisonMetric &metric : comparison_metrics()) {
        line.cells.push_back(
            {.text = value_text(metric, compared), .detail = detail_of(metric, row)});
    }
    line.cells.push_back(verified_cell(row));
    if (row.failure) {
        line.failed = true;
        line.note = "failed: " + clean_text(to_string(*row.failure));
    } else if (row.uncounted) {
        line.note = "not counted, and the device's limits not checked in full: " +
                    clean_text(*row.uncounted);
    } else if (row.kernels.empty()) {
        line.note = "no kernel is known";
    }
    return line;
}

// Returns the text of the best value among the schedules that did the work; empty if all are equal.
std::string best_text(const ComparisonMetric &metric, const ComparisonGroup &group) {
    std::optional<double> best;
    std::set<std::string> texts;
    for (const ComparedRow &compared : group.rows) {
        const std::optional<double> value = metric.value(*compared.row, compared.totals);
        if (!compared.row->ok() || !value) continue;
        texts.insert(metric_text(metric, *value));
        if (!best || times_worse(metric, *best, *value) > 1) best = value;
    }
    return texts.size() > 1 ? metric_text(metric, *best) : "";
}

void mark_best(const ComparisonGroup &group, TableSection &section) {
    const std::span<const ComparisonMetric> metrics = comparison_metrics();
    for (size_t m = 0; m < metrics.size(); m++) {
        if (metrics[m].better == Better::neither) continue;
        const std::string best = best_text(metrics[m], group);
        if (best.empty()) continue;
        for (size_t i = 0; i < group.rows.size(); i++) {
            const ComparedRow &compared = group.rows[i];
            const std::optional<double> value = metrics[m].value(*compared.row, compared.totals);
            const bool shares_it =
                compared.row->ok() && value && metric_text(metrics[m], *value) == best;
            if (shares_it) section.lines[i].cells[m + 1].mark = CellMark::best;
        }
    }
}

// Returns the value that all rows have in common, such as "full"; empty if they differ.
std::string common(const std::vector<ComparisonRow> &rows, std::string ComparisonRow::*member) {
    std::set<std::string> values;
    for (const ComparisonRow &row : rows) values.insert(clean_text(row.*member));
    return values.size() == 1 ? *values.begin() : "";
}

std::string devices_of(const std::vector<ComparisonRow> &rows) {
    std::vector<std::string> devices;
    for (const ComparisonRow &row : rows) {
        const std::string device = clean_text(row.device);
        if (device == "none" || std::find(devices.begin(), devices.end(), device) != devices.end())
            continue;
        devices.push_back(device);
    }
    return devices.empty() ? "no device" : listed(devices);
}

std::string caption_of(const std::vector<ComparisonRow> &rows) {
    if (rows.empty()) return "There are no rows.";
    const std::string size = common(rows, &ComparisonRow::size);
    const std::string gpu = common(rows, &ComparisonRow::gpu);
    const auto ok =
        std::count_if(rows.begin(), rows.end(), [](const ComparisonRow &row) { return row.ok(); });
    return (size.empty() ? "Several sizes" : "Size " + size) + ", scheduled for " +
           (gpu.empty() ? "several GPUs" : gpu) + ", run on " + devices_of(rows) + "; " +
           std::to_string(ok) + " of " + std::to_string(rows.size()) + " rows are ok.";
}

// ---- losses ----

std::string ratio_text(double ratio) {
    return std::isinf(ratio) ? "from zero" : decimal_text(ratio);
}

TableLine line_of(const MetricLoss &loss, const std::vector<LossNote> &notes) {
    const ComparisonMetric &metric = *loss.metric;
    TableLine line;
    line.cells = {text_cell(metric.title),
                  text_cell(with_unit(metric, loss.value)),
                  text_cell(with_unit(metric, loss.best_value)),
                  text_cell(loss.best_scheduler),
                  text_cell(ratio_text(loss.times_worse)),
                  text_cell(std::to_string(loss.better_schedulers))};
    line.note = clean_text(note_on(notes, loss.app, metric.key));
    return line;
}

// Returns the notes on these figures in every application, one sentence after the other.
std::string general_notes(const Losses &losses, const std::vector<LossNote> &notes) {
    std::string text;
    for (const ComparisonMetric &metric : comparison_metrics()) {
        const bool lost =
            std::any_of(losses.metrics.begin(), losses.metrics.end(),
                        [&](const MetricLoss &loss) { return loss.metric == &metric; });
        const std::string note = lost ? clean_text(note_on(notes, "", metric.key)) : "";
        if (note.empty()) continue;
        text += (text.empty() ? "" : " ") + std::string(metric.title) + ": " + note;
    }
    return text;
}

std::string losses_caption(const Losses &losses, const std::string &scheduler) {
    if (losses.compared == 0)
        return "No other scheduler has figures to compare " + scheduler + " with.";
    return scheduler + " is beaten by more than 5 % in " + std::to_string(losses.metrics.size()) +
           " of " + std::to_string(losses.compared) +
           " pairs of application and figure in which another scheduler has one too.";
}

}  // namespace

Table comparison_table(const std::vector<ComparisonRow> &rows) {
    Table table = {.title = "Schedulers by application",
                   .caption = caption_of(rows),
                   .section_column = "application"};
    table.columns.push_back({.title = "scheduler"});
    for (const ComparisonMetric &metric : comparison_metrics()) {
        table.columns.push_back(column_of(metric));
    }
    table.columns.push_back({.title = "verified", .head = {"veri-", "fied"}});
    for (const ComparisonGroup &group : group_rows(rows)) {
        TableSection &section = table.sections.emplace_back();
        section.title = clean_text(group.title);
        for (const ComparedRow &compared : group.rows) section.lines.push_back(line_of(compared));
        mark_best(group, section);
    }
    table.legend =
        "Search time is the autoscheduler's alone. Registers and shared memory are the most of any "
        "kernel, spills the sum over kernels; mean occupancy is weighted by transactions. 1 MB is "
        "10^6 bytes. ~: estimated, not counted. -: unknown.";
    return table;
}

Table summary_table(const std::vector<ComparisonRow> &rows, std::string_view baseline) {
    Table table;
    const std::vector<SummaryLine> lines = summarise(rows, baseline);
    const bool has_baseline = std::any_of(lines.begin(), lines.end(), [&](const SummaryLine &line) {
        return line.scheduler == baseline;
    });
    if (!has_baseline) return table;
    const std::string name = clean_text(baseline);
    table.title = "Schedulers against " + name;
    table.caption = "Geometric mean of each figure divided by that of " + name +
                    ", over the applications that both did. Occupancy: more is better; all others: "
                    "less.";
    table.columns = {{.title = "scheduler"},
                     {.title = "ok", .of_numbers = true},
                     {.title = "verified", .head = {"veri-", "fied"}, .of_numbers = true}};
    for (const ComparisonMetric &metric : comparison_metrics()) {
        table.columns.push_back(column_of(metric));
        table.columns.back().unit.clear();
    }
    TableSection &section = table.sections.emplace_back();
    const std::span<const ComparisonMetric> metrics = comparison_metrics();
    for (const SummaryLine &line : lines) {
        const std::string asked = "/" + std::to_string(line.asked);
        TableLine &shown = section.lines.emplace_back();
        shown.cells = {text_cell(line.scheduler), text_cell(std::to_string(line.ok) + asked),
                       text_cell(std::to_string(line.verified))};
        for (size_t m = 0; m < metrics.size(); m++) {
            const SummaryCell &cell = line.cells[m];
            TableCell &ratio = shown.cells.emplace_back();
            ratio.text = cell.apps == 0 ? kUnknown
                         : cell.ratio   ? decimal_text(*cell.ratio)
                                        : metric_text(metrics[m], cell.total) + ":" +
                                            metric_text(metrics[m], cell.baseline_total);
            if (cell.apps > 0 && cell.apps < line.ok) {
                ratio.detail = "n = " + std::to_string(cell.apps);
            }
        }
    }
    table.legend = "a:b: the two sums, where no ratio exists because one of the two is zero.";
    return table;
}

Table losses_table(const std::vector<ComparisonRow> &rows, std::string_view scheduler,
                   const std::vector<LossNote> &notes) {
    const std::string name = clean_text(scheduler);
    const Losses losses = find_losses(rows, scheduler);
    Table table = {.title = "Where " + name + " loses",
                   .caption = losses_caption(losses, name),
                   .section_column = "application"};
    table.columns = {{.title = "figure"},
                     {.title = name, .of_numbers = true},
                     {.title = "best other", .of_numbers = true},
                     {.title = "of"},
                     {.title = "times worse", .of_numbers = true},
                     {.title = "schedulers ahead", .of_numbers = true}};
    for (const MetricLoss &loss : losses.metrics) {
        const std::string title = clean_text(loss.group);
        if (table.sections.empty() || table.sections.back().title != title) {
            table.sections.push_back({.title = title});
        }
        table.sections.back().lines.push_back(line_of(loss, notes));
    }
    table.legend = general_notes(losses, notes);
    return table;
}

Table undone_table(const std::vector<ComparisonRow> &rows, std::string_view scheduler,
                   const std::vector<LossNote> &notes) {
    Table table;
    const Losses losses = find_losses(rows, scheduler);
    if (losses.failures.empty()) return table;
    table.title = "What " + clean_text(scheduler) + " did not do, and others did";
    table.columns = {{.title = "application"}, {.title = "reason"}, {.title = "done by"}};
    TableSection &section = table.sections.emplace_back();
    for (const FailureLoss &loss : losses.failures) {
        section.lines.push_back({.cells = {text_cell(loss.group), text_cell(loss.reason),
                                           text_cell(listed(loss.done_by))},
                                 .note = clean_text(note_on(notes, loss.app, kFailureNote)),
                                 .failed = true});
    }
    table.legend = clean_text(note_on(notes, "", kFailureNote));
    return table;
}

Table failures_table(const std::vector<ComparisonRow> &rows) {
    Table table;
    TableSection section;
    for (const ComparisonGroup &group : group_rows(rows)) {
        for (const ComparedRow &compared : group.rows) {
            const ComparisonRow &row = *compared.row;
            if (row.ok()) continue;
            section.lines.push_back({.cells = {text_cell(group.title), text_cell(row.scheduler),
                                               text_cell(to_string(*row.failure))},
                                     .note = clean_text(row.reproduce.value_or(""))});
        }
    }
    if (section.lines.empty()) return table;
    table.title = "Failures";
    table.caption = "Each with its reason and the command that shows it again.";
    table.columns = {{.title = "application"}, {.title = "scheduler"}, {.title = "reason"}};
    table.sections.push_back(std::move(section));
    return table;
}

Table cross_table(const CrossTable &cross) {
    Table table = {.title = clean_text(cross.app) + ", " + clean_text(cross.scheduler),
                   .caption = "On " +
                              (cross.device == "none" ? "no device" : clean_text(cross.device)) +
                              ". Lines: the size scheduled for. Columns: the size run at. Slowdown "
                              "against the schedule made for that size."};
    const auto size_text = [](const NamedSize &size) {
        return clean_text(size.name + (size.extents.empty() ? "" : " " + size.extents));
    };
    table.columns.push_back({.title = "scheduled for"});
    for (const NamedSize &size : cross.run_at) {
        table.columns.push_back({.title = size_text(size),
                                 .head = {clean_text(size.name), clean_text(size.extents)},
                                 .of_numbers = true});
    }
    TableSection &section = table.sections.emplace_back();
    for (size_t i = 0; i < cross.scheduled_for.size(); i++) {
        TableLine &line = section.lines.emplace_back();
        line.cells.push_back(text_cell(size_text(cross.scheduled_for[i])));
        for (size_t j = 0; j < cross.cells[i].size(); j++) {
            const CrossCell &cell = cross.cells[i][j];
            line.cells.push_back({.text = cell.text});
            if (!cell.failure) continue;
            line.cells.back().mark = CellMark::failed;
            line.note += (line.note.empty() ? "at " : "; at ") + clean_text(cross.run_at[j].name) +
                         ": " + clean_text(to_string(*cell.failure));
        }
    }
    return table;
}

std::vector<Table> tables_for_text(const std::vector<ComparisonRow> &rows,
                                   const Presentation &presentation) {
    std::vector<Table> tables = {comparison_table(rows)};
    for (const std::string &baseline : presentation.baselines) {
        tables.push_back(summary_table(rows, baseline));
    }
    tables.push_back(roofline_table(rows));
    tables.push_back(losses_table(rows, presentation.subject, presentation.notes));
    tables.push_back(undone_table(rows, presentation.subject, presentation.notes));
    return tables;
}

std::vector<Table> tables_for_text(const std::vector<CrossRow> &rows) {
    std::vector<Table> tables;
    for (const CrossTable &table : cross_tables(rows)) tables.push_back(cross_table(table));
    return tables;
}

}  // namespace autoschedule_gpu
