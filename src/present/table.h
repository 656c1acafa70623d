// A table as data, between what is said and how it is written: for a terminal, as Markdown, as
// HTML. All texts are clean (text.h), and none is escaped.
//
//     tables ─► Table ─► terminal | markdown | html_table
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace autoschedule_gpu {

enum class CellMark : uint8_t { none, best, failed };

struct TableCell {
    std::string text = {};
    CellMark mark = CellMark::none;
    std::string detail = {};  // small print, where there is room for it
};

struct TableLine {
    std::vector<TableCell> cells = {};  // one per column
    std::string note = {};              // below the line, across the table
    bool failed = false;
};

struct TableColumn {
    std::string title = {};
    std::array<std::string, 2> head = {};  // the title on two short lines; empty: on one line
    std::string unit = {};
    bool of_numbers = false;  // aligned to the right
};

struct TableSection {
    std::string title = {};  // empty: no line for it
    std::vector<TableLine> lines = {};
};

struct Table {
    std::string title = {};
    std::string caption = {};         // a sentence or two above the table
    std::string section_column = {};  // what the titles of sections are: "application"
    std::vector<TableColumn> columns = {};
    std::vector<TableSection> sections = {};
    std::string legend = {};  // below the table

    bool empty() const { return sections.empty() && caption.empty(); }
};

}  // namespace autoschedule_gpu
