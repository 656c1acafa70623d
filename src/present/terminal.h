// Writes tables for a terminal: plain ASCII, except for the texts of cells. Lines are not longer
// than kTerminalColumns unless a single word is.
#pragma once

#include <string>
#include <vector>

#include "present/table.h"

namespace autoschedule_gpu {

inline constexpr size_t kTerminalColumns = 120;

// Returns the table with an empty line at its end; empty for an empty table.
std::string terminal_text(const Table &table);

// Returns the tables one below the other.
std::string terminal_text(const std::vector<Table> &tables);

}  // namespace autoschedule_gpu
