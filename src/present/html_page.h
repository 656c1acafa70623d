// One HTML page that needs nothing else: style and plots (SVG) are inside, there is no script and
// no reference to another file, and it is light or dark as the reader's system is. It is also
// well-formed XML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "present/html.h"
#include "present/plot.h"
#include "present/table.h"

namespace autoschedule_gpu {

// A line of the list below a page's title. It is left out if the value is empty.
struct HtmlFact {
    std::string name = {};
    std::string value = {};
    std::string_view tag = "span";  // "code" for commands
};

// A part of a page, with a heading and a link to it from the top.
struct HtmlSection {
    std::string id = {};
    std::string title = {};
    std::string content = {};  // markup; a section without content is left out
};

std::string html_page(std::string_view title, const std::vector<HtmlFact> &facts,
                      const std::vector<HtmlSection> &sections);

// Returns a table below its caption, which may be all that there is.
std::string captioned(const Table &table);

// Returns the same under a heading of its own; empty if the table is empty.
std::string headed(const Table &table);

// Returns names with their colours in the plots, in the order of the series.
std::string series_list(const std::vector<std::string> &names);

// Returns a plot with its title.
std::string figure(std::string_view title, std::string_view unit, std::string_view better,
                   std::string_view drawing);

// Returns plots beside each other; empty if there are none.
template <typename Plot>
std::string figures(const std::vector<Plot> &plots) {
    std::string text;
    for (const Plot &plot : plots) text += figure(plot.title, plot.unit, plot.better, svg(plot));
    return text.empty() ? "" : element("div", {{"class", "plots"}}, "\n" + text) + "\n";
}

}  // namespace autoschedule_gpu
