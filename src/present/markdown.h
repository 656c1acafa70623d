// Writes tables as Markdown, for a README. There are no headings, and the text ends in one newline.
#pragma once

#include <string>
#include <vector>

#include "present/table.h"

namespace autoschedule_gpu {

// Returns paragraphs and a table, separated by empty lines; empty for an empty table.
std::string markdown_text(const Table &table);

// Returns the tables one below the other, separated by empty lines.
std::string markdown_text(const std::vector<Table> &tables);

}  // namespace autoschedule_gpu
