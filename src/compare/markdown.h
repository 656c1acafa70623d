// A comparison as Markdown, for a README: tables only, no headings; ends in one newline.
#pragma once

#include <string>
#include <vector>

#include "compare/cross_resolution.h"
#include "compare/presentation.h"
#include "compare/row.h"
#include "compare/table.h"

namespace autoschedule_gpu {

// Table, summaries, losses. Commands are left out, because they name folders of one machine.
std::string markdown_text(const std::vector<ComparisonRow> &rows,
                          const Presentation &presentation = {});

std::string markdown_text(const std::vector<CrossRow> &rows);

// Nothing for an empty table.
std::string markdown_text(const Table &table);

}  // namespace autoschedule_gpu
