#include "present/html_page.h"

#include "present/html_style.h"
#include "present/svg_parts.h"

namespace autoschedule_gpu {

namespace {

std::string fact_list(const std::vector<HtmlFact> &facts) {
    std::string text;
    for (const HtmlFact &fact : facts) {
        if (fact.value.empty()) continue;
        text += element("dt", {}, html_text(fact.name)) +
                element("dd", {}, element(fact.tag, {}, html_text(fact.value))) + "\n";
    }
    return text.empty() ? "" : element("dl", {}, "\n" + text) + "\n";
}

std::string contents(const std::vector<HtmlSection> &sections) {
    std::string links;
    for (const HtmlSection &section : sections) {
        if (section.content.empty()) continue;
        links += (links.empty() ? "" : " · ") +
                 element("a", {{"href", "#" + section.id}}, html_text(section.title));
    }
    return element("nav", {}, links) + "\n";
}

std::string document(std::string_view title, const std::string &body) {
    const std::string head =
        "\n" + empty_element("meta", {{"charset", "utf-8"}}) + "\n" +
        empty_element("meta",
                      {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}}) +
        "\n" + element("title", {}, html_text(title)) + "\n" + element("style", {}, kHtmlStyle) +
        "\n";
    return "<!DOCTYPE html>\n" +
           element("html", {{"lang", "en"}},
                   "\n" + element("head", {}, head) + "\n" + element("body", {}, "\n" + body)) +
           "\n";
}

}  // namespace

std::string html_page(std::string_view title, const std::vector<HtmlFact> &facts,
                      const std::vector<HtmlSection> &sections) {
    std::string body =
        element("h1", {}, html_text(title)) + "\n" + fact_list(facts) + contents(sections);
    for (const HtmlSection &section : sections) {
        if (section.content.empty()) continue;
        body +=
            element("section", {{"id", section.id}},
                    "\n" + element("h2", {}, html_text(section.title)) + "\n" + section.content) +
            "\n";
    }
    return document(title, body);
}

std::string captioned(const Table &table) {
    const std::string text = element("p", {}, html_text(table.caption)) + "\n";
    return table.sections.empty() ? text : text + html_table(table);
}

std::string headed(const Table &table) {
    if (table.empty()) return "";
    const std::string caption =
        table.caption.empty() ? "" : element("p", {}, html_text(table.caption)) + "\n";
    return element("h3", {}, html_text(table.title)) + "\n" + caption +
           (table.sections.empty() ? "" : html_table(table));
}

std::string series_list(const std::vector<std::string> &names) {
    std::string items;
    for (size_t i = 0; i < names.size(); i++) {
        const std::string swatch = empty_element(
            "rect", {{"width", "12"}, {"height", "12"}, {"class", "swatch " + series_class(i)}});
        const std::string box =
            element("svg", {{"width", "12"}, {"height", "12"}, {"aria-hidden", "true"}}, swatch);
        items += element("li", {}, box + " " + html_text(names[i])) + "\n";
    }
    return element("ul", {{"class", "series"}}, "\n" + items) + "\n";
}

std::string figure(std::string_view title, std::string_view unit, std::string_view better,
                   std::string_view drawing) {
    const std::string say =
        " " + element("small", {},
                      html_text(std::string(unit) + ", logarithmic scale; " + std::string(better)));
    return element(
               "figure", {},
               element("figcaption", {}, html_text(title) + say) + "\n" + std::string(drawing)) +
           "\n";
}

}  // namespace autoschedule_gpu
