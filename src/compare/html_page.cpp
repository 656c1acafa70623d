#include "compare/html_page.h"

#include "compare/groups.h"
#include "compare/html.h"
#include "compare/html_style.h"
#include "compare/plots_of_rows.h"
#include "compare/roofline_plot.h"
#include "compare/svg_parts.h"
#include "compare/tables.h"

namespace autoschedule_gpu {

namespace {

struct Section {
    std::string id;
    std::string title;
    std::string content;
};

std::string header_list(const PageHeader &header) {
    std::string text;
    const auto add = [&](std::string_view name, const std::string &value, std::string_view tag) {
        if (value.empty()) return;
        text +=
            element("dt", {}, name) + element("dd", {}, element(tag, {}, html_text(value))) + "\n";
    };
    add("date", header.date, "span");
    add("command", header.command, "code");
    add("machine", header.machine, "span");
    add("device", header.device, "span");
    return text.empty() ? "" : element("dl", {}, "\n" + text) + "\n";
}

std::string caption_and_table(const Table &table) {
    std::string text = element("p", {}, html_text(table.caption)) + "\n";
    return table.sections.empty() ? text : text + html_table(table);
}

// As a part of a section, under a heading of its own; nothing if the table is empty.
std::string headed(const Table &table) {
    if (table.empty()) return "";
    const std::string caption =
        table.caption.empty() ? "" : element("p", {}, html_text(table.caption)) + "\n";
    return element("h3", {}, html_text(table.title)) + "\n" + caption +
           (table.sections.empty() ? "" : html_table(table));
}

std::string series_list(const std::vector<ComparisonRow> &rows) {
    std::string items;
    const std::vector<std::string> schedulers = schedulers_of(rows);
    for (size_t i = 0; i < schedulers.size(); i++) {
        const std::string swatch = empty_element(
            "rect", {{"width", "12"}, {"height", "12"}, {"class", "swatch " + series_class(i)}});
        items +=
            element("li", {},
                    element("svg", {{"width", "12"}, {"height", "12"}, {"aria-hidden", "true"}},
                            swatch) +
                        " " + html_text(schedulers[i])) +
            "\n";
    }
    return element("ul", {{"class", "series"}}, "\n" + items) + "\n";
}

template <typename Plot>
std::string figure(const Plot &plot) {
    const std::string say =
        " " + element("small", {}, html_text(plot.unit + ", logarithmic scale; " + plot.better));
    return element("figure", {},
                   element("figcaption", {}, html_text(plot.title) + say) + "\n" + svg(plot)) +
           "\n";
}

template <typename Plot>
std::string figures(const std::vector<Plot> &plots) {
    std::string text;
    for (const Plot &plot : plots) text += figure(plot);
    return text.empty() ? "" : element("div", {{"class", "plots"}}, "\n" + text) + "\n";
}

std::string plots(const std::vector<ComparisonRow> &rows, const Presentation &presentation) {
    std::string text = figures(bar_plots(rows));
    if (!text.empty()) text = series_list(rows) + text;
    if (presentation.baselines.empty()) return text;
    return text + figures(scatter_plots(rows, presentation.subject, presentation.baselines[0]));
}

std::string roofline(const std::vector<ComparisonRow> &rows) {
    const Table table = roofline_table(rows);
    if (table.empty()) return "";
    const std::string drawn = figures(roofline_plots(rows));
    return caption_and_table(table) + (drawn.empty() ? "" : series_list(rows) + drawn);
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
    for (const CrossTable &table : cross_tables(rows)) text += headed(cross_table(table));
    return text;
}

// Sections without content are left out.
std::vector<Section> sections_of(const std::vector<ComparisonRow> &rows,
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
    const std::vector<Section> all = {
        {"summary", "Summary", summaries(rows, presentation)},
        {"losses", losses.title,
         caption_and_table(losses) +
             headed(undone_table(rows, presentation.subject, presentation.notes))},
        {"table", table.title, caption_and_table(table) + best},
        {"plots", "Plots", plots(rows, presentation)},
        {"roofline", "Roofline", roofline(rows)},
        {"failures", failures.title, failures.empty() ? "" : caption_and_table(failures)},
        {"cross", "Schedules at other sizes", cross_section(cross_rows)},
        {"kernels", "Kernels", kernels(rows)}};
    std::vector<Section> sections;
    for (const Section &section : all) {
        if (!section.content.empty()) sections.push_back(section);
    }
    return sections;
}

std::string contents(const std::vector<Section> &sections) {
    std::string links;
    for (const Section &section : sections) {
        links += (links.empty() ? "" : " · ") +
                 element("a", {{"href", "#" + section.id}}, html_text(section.title));
    }
    return element("nav", {}, links) + "\n";
}

}  // namespace

std::string html_page(const PageHeader &header, const std::vector<ComparisonRow> &rows,
                      const Presentation &presentation, const std::vector<CrossRow> &cross_rows) {
    const std::vector<Section> sections = sections_of(rows, presentation, cross_rows);
    std::string body = element("h1", {}, html_text(header.title)) + "\n" + header_list(header) +
                       contents(sections);
    for (const Section &section : sections) {
        body +=
            element("section", {{"id", section.id}},
                    "\n" + element("h2", {}, html_text(section.title)) + "\n" + section.content) +
            "\n";
    }
    const std::string head =
        "\n" + empty_element("meta", {{"charset", "utf-8"}}) + "\n" +
        empty_element("meta",
                      {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}}) +
        "\n" + element("title", {}, html_text(header.title)) + "\n" +
        element("style", {}, kHtmlStyle) + "\n";
    return "<!DOCTYPE html>\n" +
           element("html", {{"lang", "en"}},
                   "\n" + element("head", {}, head) + "\n" + element("body", {}, "\n" + body)) +
           "\n";
}

}  // namespace autoschedule_gpu
