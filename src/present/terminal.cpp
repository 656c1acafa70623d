#include "present/terminal.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "present/text.h"

namespace autoschedule_gpu {

namespace {

constexpr size_t kNoteIndent = 4;
constexpr size_t kLeastTextColumn = 8;

using TextLines = std::vector<std::string>;

std::string padding(std::string_view text, size_t width) {
    const size_t used = text_width(text);
    return std::string(used < width ? width - used : 0, ' ');
}

std::string paragraph(std::string_view text, size_t indent, size_t columns) {
    std::string result;
    const size_t width = std::max(columns, indent + kLeastTextColumn) - indent;
    for (const std::string &line : wrapped(text, width)) {
        result += std::string(indent, ' ') + line + "\n";
    }
    return result;
}

// Returns the three lines above a column.
std::array<std::string, 3> head_lines(const TableColumn &column) {
    if (column.head[0].empty()) return {column.title, "", column.unit};
    return {column.head[0], column.head[1], column.unit};
}

// Lays out one table. If a line would be too long, columns of text are wrapped.
class TerminalLayout {
public:
    TerminalLayout(const Table &table, size_t columns)
        : table_(table), widths_(table.columns.size(), 0) {
        for (size_t c = 0; c < widths_.size(); c++) {
            for (const std::string &line : head_lines(table.columns[c])) widen(c, line);
        }
        for (const TableSection &section : table.sections) {
            for (const TableLine &line : section.lines) {
                for (size_t c = 0; c < line.cells.size(); c++) {
                    widen(c, line.cells[c].text);
                    has_best_ |= line.cells[c].mark == CellMark::best;
                }
            }
        }
        while (line_width() > columns && narrow_widest_text()) continue;
    }

    bool has_best() const { return has_best_; }

    std::string head() const {
        std::string text;
        for (size_t i = 0; i < 3; i++) {
            std::vector<TableCell> cells;
            for (const TableColumn &column : table_.columns) {
                cells.push_back({.text = head_lines(column)[i]});
            }
            const bool empty = std::all_of(cells.begin(), cells.end(),
                                           [](const TableCell &cell) { return cell.text.empty(); });
            if (!empty) text += line(cells);
        }
        return text;
    }

    // Returns as many lines of text as the highest cell has.
    std::string line(const std::vector<TableCell> &cells) const {
        std::vector<TextLines> parts;
        size_t height = 1;
        for (size_t c = 0; c < cells.size(); c++) {
            parts.push_back(table_.columns[c].of_numbers ? TextLines{cells[c].text}
                                                         : wrapped(cells[c].text, widths_[c]));
            height = std::max(height, parts.back().size());
        }
        std::string text;
        for (size_t i = 0; i < height; i++) {
            std::string one;
            for (size_t c = 0; c < cells.size(); c++) {
                const std::string part = i < parts[c].size() ? parts[c][i] : "";
                const bool best = i == 0 && cells[c].mark == CellMark::best;
                one += placed(part, c) + (best ? "* " : "  ");
            }
            text += one.substr(0, one.find_last_not_of(' ') + 1) + "\n";
        }
        return text;
    }

private:
    void widen(size_t column, std::string_view text) {
        widths_[column] = std::max(widths_[column], text_width(text));
    }

    size_t line_width() const {
        return std::accumulate(widths_.begin(), widths_.end(), 2 * (widths_.size() - 1));
    }

    // Returns false if no column of text can be made narrower.
    bool narrow_widest_text() {
        size_t widest = widths_.size();
        for (size_t c = 0; c < widths_.size(); c++) {
            if (table_.columns[c].of_numbers || widths_[c] <= kLeastTextColumn) continue;
            if (widest == widths_.size() || widths_[c] > widths_[widest]) widest = c;
        }
        if (widest == widths_.size()) return false;
        widths_[widest]--;
        return true;
    }

    std::string placed(const std::string &text, size_t column) const {
        const std::string blanks = padding(text, widths_[column]);
        return table_.columns[column].of_numbers ? blanks + text : text + blanks;
    }

    const Table &table_;
    std::vector<size_t> widths_;
    bool has_best_ = false;
};

// Says how the best is marked: with sections, columns are compared; without them, lines.
std::string best_in_text(const Table &table) {
    return table.section_column.empty() ? "the best of its line. "
                                        : "the best of its column in the application. ";
}

}  // namespace

std::string terminal_text(const Table &table, size_t columns) {
    if (table.empty()) return "";
    std::string text = table.title + "\n" + std::string(text_width(table.title), '=') + "\n" +
                       paragraph(table.caption, 0, columns);
    if (!table.sections.empty()) {
        const TerminalLayout layout(table, columns);
        text += "\n" + layout.head();
        for (const TableSection &section : table.sections) {
            if (!section.title.empty()) text += "\n" + section.title + "\n";
            for (const TableLine &line : section.lines) {
                text += layout.line(line.cells) + paragraph(line.note, kNoteIndent, columns);
            }
        }
        const std::string best = layout.has_best() ? "* " + best_in_text(table) : "";
        if (!(best + table.legend).empty()) {
            text += "\n" + paragraph(best + table.legend, 0, columns);
        }
    }
    return text + "\n";
}

std::string terminal_text(const std::vector<Table> &tables) {
    std::string text;
    for (const Table &table : tables) text += terminal_text(table);
    return text;
}

}  // namespace autoschedule_gpu
