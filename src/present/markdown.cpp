#include "present/markdown.h"

#include <algorithm>

namespace autoschedule_gpu {

namespace {

// Returns text for a cell in which everything that Markdown would take for markup is escaped.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '<') {
            result += "&lt;";
        } else if (c == '&') {
            result += "&amp;";
        } else {
            if (std::string_view("\\`*_[]|~").find(c) != std::string_view::npos) result += '\\';
            result += c;
        }
    }
    return result;
}

std::string head_column(const TableColumn &column) {
    return escaped(column.title) + (column.unit.empty() ? "" : ", " + escaped(column.unit));
}

std::string shown(const TableCell &cell) {
    return cell.mark == CellMark::best ? "**" + escaped(cell.text) + "**" : escaped(cell.text);
}

template <typename Predicate>
bool any_line(const Table &table, const Predicate &predicate) {
    return std::any_of(table.sections.begin(), table.sections.end(), [&](const TableSection &s) {
        return std::any_of(s.lines.begin(), s.lines.end(), predicate);
    });
}

bool has_best(const TableLine &line) {
    return std::any_of(line.cells.begin(), line.cells.end(),
                       [](const TableCell &cell) { return cell.mark == CellMark::best; });
}

// Writes sections as a first column and notes as a last one.
std::string lines_of(const Table &table) {
    const bool notes = any_line(table, [](const TableLine &line) { return !line.note.empty(); });
    const bool sections = !table.section_column.empty();
    std::string head = sections ? "| " + escaped(table.section_column) + " " : "";
    std::string rule = sections ? "|---" : "";
    for (const TableColumn &column : table.columns) {
        head += "| " + head_column(column) + " ";
        rule += column.of_numbers ? "|---:" : "|---";
    }
    std::string text = head + (notes ? "| note |\n" : "|\n") + rule + (notes ? "|---|\n" : "|\n");
    for (const TableSection &section : table.sections) {
        for (const TableLine &line : section.lines) {
            if (sections) text += "| " + escaped(section.title) + " ";
            for (const TableCell &cell : line.cells) text += "| " + shown(cell) + " ";
            text += notes ? "| " + escaped(line.note) + " |\n" : "|\n";
        }
    }
    return text;
}

// Says how the best is marked: with sections, columns are compared; without them, lines.
std::string best_in_markdown(const Table &table) {
    return table.section_column.empty() ? "Bold: the best of its line. "
                                        : "Bold: the best of its column in the application. ";
}

}  // namespace

std::string markdown_text(const Table &table) {
    if (table.empty()) return "";
    std::string text;
    if (!table.title.empty()) text += "**" + escaped(table.title) + ".** ";
    text += escaped(table.caption);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
    if (table.sections.empty()) return text;
    text += "\n" + lines_of(table);
    const std::string best = any_line(table, has_best) ? best_in_markdown(table) : "";
    const std::string legend = best + escaped(table.legend);
    return legend.empty() ? text : text + "\n" + legend + "\n";
}

std::string markdown_text(const std::vector<Table> &tables) {
    std::string text;
    for (const Table &table : tables) {
        if (!text.empty() && !table.empty()) text += "\n";
        text += markdown_text(table);
    }
    return text;
}

}  // namespace autoschedule_gpu
