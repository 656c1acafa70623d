#include "present/html.h"

#include "present/text.h"

namespace autoschedule_gpu {

namespace {

std::string opening(std::string_view tag, const HtmlAttributes &attributes) {
    std::string text = "<" + std::string(tag);
    for (const auto &[name, value] : attributes) {
        text += " " + std::string(name) + "=\"" + html_text(value) + "\"";
    }
    return text;
}

std::string small_print(const std::string &text) {
    return text.empty() ? "" : " " + element("small", {}, html_text(text));
}

std::string head_cell(const TableColumn &column) {
    HtmlAttributes attributes = {{"scope", "col"}};
    if (column.of_numbers) attributes.push_back({"class", "number"});
    return element("th", attributes, html_text(column.title) + small_print(column.unit));
}

std::string cell(const TableColumn &column, const TableCell &cell, bool heads_line) {
    std::string classes = column.of_numbers ? "number" : "";
    if (cell.mark == CellMark::best) classes += " best";
    if (cell.mark == CellMark::failed) classes += " failed";
    HtmlAttributes attributes;
    if (!classes.empty()) attributes.push_back({"class", classes});
    if (heads_line) attributes.push_back({"scope", "row"});
    const std::string text = html_text(cell.text);
    const std::string content =
        (cell.mark == CellMark::best ? element("b", {}, text) : text) + small_print(cell.detail);
    return element(heads_line ? "th" : "td", attributes, content);
}

std::string lines(const Table &table, const TableLine &line) {
    std::string cells;
    for (size_t c = 0; c < line.cells.size(); c++) {
        cells += cell(table.columns[c], line.cells[c], c == 0);
    }
    HtmlAttributes attributes;
    if (line.failed) attributes.push_back({"class", "failed"});
    std::string text = element("tr", attributes, cells) + "\n";
    if (line.note.empty()) return text;
    const std::string note =
        element("td", {{"class", "note"}, {"colspan", std::to_string(table.columns.size())}},
                html_text(line.note));
    return text + element("tr", attributes, note) + "\n";
}

}  // namespace

std::string html_text(std::string_view text) {
    std::string escaped;
    for (const char c : clean_text(text)) {
        switch (c) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            default:
                escaped += c;
        }
    }
    return escaped;
}

std::string element(std::string_view tag, const HtmlAttributes &attributes,
                    std::string_view content) {
    return opening(tag, attributes) + ">" + std::string(content) + "</" + std::string(tag) + ">";
}

std::string empty_element(std::string_view tag, const HtmlAttributes &attributes) {
    return opening(tag, attributes) + "/>";
}

std::string html_table(const Table &table) {
    std::string head;
    for (const TableColumn &column : table.columns) head += head_cell(column);
    std::string body;
    for (const TableSection &section : table.sections) {
        std::string text;
        if (!section.title.empty()) {
            const std::string columns = std::to_string(table.columns.size());
            const std::string title =
                element("th", {{"class", "section"}, {"scope", "rowgroup"}, {"colspan", columns}},
                        html_text(section.title));
            text += element("tr", {}, title) + "\n";
        }
        for (const TableLine &line : section.lines) text += lines(table, line);
        body += element("tbody", {}, "\n" + text) + "\n";
    }
    const std::string content = "\n" + element("thead", {}, element("tr", {}, head)) + "\n" + body;
    std::string text = element("div", {{"class", "scroll"}}, element("table", {}, content)) + "\n";
    if (!table.legend.empty()) {
        text += element("p", {{"class", "legend"}}, html_text(table.legend)) + "\n";
    }
    return text;
}

}  // namespace autoschedule_gpu
