// A comparison for a terminal: plain ASCII but for the texts of the rows, no line longer than
// kTerminalColumns unless one word of a row's text is.
#pragma once

#include <string>
#include <vector>

#include "compare/cross_resolution.h"
#include "compare/presentation.h"
#include "compare/row.h"
#include "compare/table.h"

namespace autoschedule_gpu {

inline constexpr size_t kTerminalColumns = 120;

// Table, summaries, losses.
std::string terminal_text(const std::vector<ComparisonRow> &rows,
                          const Presentation &presentation = {});

std::string terminal_text(const std::vector<CrossRow> &rows);

// With an empty line at its end; nothing for an empty table.
std::string terminal_text(const Table &table);

}  // namespace autoschedule_gpu
