#include "compare/rows/comparison_page.h"

#include "compare/rows/groups.h"
#include "compare/rows/plots_of_rows.h"
#include "compare/rows/roofline_plot.h"
#include "compare/rows/tables.h"
#include "present/html_page.h"

namespace autoschedule_gpu {

namespace {

std::string plots(const std::vector<ComparisonRow> &rows, const Presentation &presentation) {
    std::string text = figures(dot_plots(rows));
    if (!text.empty()) text = series_list(schedulers_of(rows)) + text;
    if (presentation.baselines.empty()) return text;
    return text + figures(scatter_plots(rows, presentation.subject, presentation.baselines[0]));
}

std::string roofline(const std::vector<ComparisonRow> &rows) {
    const Table table = roofline_table(rows);
    if (table.empty()) return "";
    const std::string drawn = figures(roofline_plots(rows));
    return captioned(table) + (drawn.empty() ? "" : series_list(schedulers_of(rows)) + drawn);
}

std::string kernels(const std::vector<ComparisonRow> &rows) {
    std::string text;
    for (const ComparisonGroup &group : group_rows(rows)) {
        for (const ComparedRow &compared : group.rows) {
            const Table table = kernels_table(*compared.row);
            if (table.empty()) continue;
            const std::string title = html_text(group.title + ", " + compared.row->scheduler);
            text +=
                element("details", {}, element("summary", {}, title) + "\n" + html_table(table)) +
                "\n";
        }
    }
    return text;
}

std::string summaries(const std::vector<ComparisonRow> &rows, const Presentation &presentation) {
    std::string text;
    for (const std::string &baseline : presentation.baselines) {
        text += headed(summary_table(rows, baseline));
    }
    return text;
}

std::string cross_section(const std::vector<CrossRow> &rows) {
    std::string text;
    for (const Table &table : tables_for_text(rows)) text += headed(table);
    return text;
}

std::vector<HtmlSection> sections_of(const std::vector<ComparisonRow> &rows,
                                     const Presentation &presentation,
                                     const std::vector<CrossRow> &cross_rows) {
    const Table table = comparison_table(rows);
    const Table losses = losses_table(rows, presentation.subject, presentation.notes);
    const Table failures = failures_table(rows);
    const std::string best = table.sections.empty()
                                 ? ""
                                 : element("p", {{"class", "legend"}},
                                           "Bold: the best of its column in the application.") +
                                       "\n";
    return {
        {"summary", "Summary", summaries(rows, presentation)},
        {"losses", losses.title,
         captioned(losses) + headed(undone_table(rows, presentation.subject, presentation.notes))},
        {"table", table.title, captioned(table) + best},
        {"plots", "Plots", plots(rows, presentation)},
        {"roofline", "Roofline", roofline(rows)},
        {"failures", failures.title, failures.empty() ? "" : captioned(failures)},
        {"cross", "Schedules at other sizes", cross_section(cross_rows)},
        {"kernels", "Kernels", kernels(rows)}};
}

}  // namespace

std::string comparison_page(const PageHeader &header, const std::vector<ComparisonRow> &rows,
                            const Presentation &presentation,
                            const std::vector<CrossRow> &cross_rows) {
    return html_page(header.title,
                     {{"date", header.date},
                      {"command", header.command, "code"},
                      {"machine", header.machine},
                      {"device", header.device}},
                     sections_of(rows, presentation, cross_rows));
}

}  // namespace autoschedule_gpu
