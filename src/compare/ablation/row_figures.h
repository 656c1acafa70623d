// What tables show of rows, and which rows they show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/ablation/row.h"

namespace autoschedule_gpu {

// In the order of the rows, each once.
std::vector<std::string> apps_of(const std::vector<AblationRow> &rows);

// The first of these configurations that made all its passes, or else the first that has a row;
// null if none has.
const AblationRow *find_row(const std::vector<AblationRow> &rows, const std::string &app,
                            const std::vector<std::string> &configurations);

// Of rows with a search: the median of its times in seconds, and what is predicted of its schedule.
std::optional<double> search_s(const AblationRow &row);
std::optional<double> predicted_us(const AblationRow &row);

// Says which of the rows have another schedule than the search's; empty if none has. Null rows do
// not count.
std::string other_choices(const std::vector<const AblationRow *> &rows);

}  // namespace autoschedule_gpu
