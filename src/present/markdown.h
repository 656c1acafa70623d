// Tables as Markdown, for a README: no headings; ends in one newline.
#pragma once

#include <string>
#include <vector>

#include "present/table.h"

namespace autoschedule_gpu {

// Returns paragraphs and a table, with empty lines between; nothing for an empty table.
std::string markdown_text(const Table &table);

// Returns the tables one below the other, with empty lines between.
std::string markdown_text(const std::vector<Table> &tables);

}  // namespace autoschedule_gpu
