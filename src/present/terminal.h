// Writes tables for a terminal: plain ASCII, except for the texts of cells. Lines are not longer
// than the terminal is wide unless a single word, or numbers beside each other are.
#pragma once

#include <string>
#include <vector>

#include "present/table.h"

namespace autoschedule_gpu {

inline constexpr size_t kTerminalColumns = 120;

// Returns the table with an empty line at its end; empty for an empty table. `columns`: of the
// terminal.
std::string terminal_text(const Table &table, size_t columns = kTerminalColumns);

// Returns the tables one below the other.
std::string terminal_text(const std::vector<Table> &tables);

}  // namespace autoschedule_gpu
