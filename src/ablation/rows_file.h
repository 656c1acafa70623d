// ablation.json: a JSON array with one object per AblationRow. Its fields are the members of
// AblationRow, SearchFigures and PhaseTime by name, with `status` and `reason` for the failure as
// in results.json (compare/rows_file.h); refused is what that file refuses, a row that is ok
// without `search`, and two rows of one application, configuration, size and gpu.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ablation/row.h"
#include "support/error.h"

namespace autoschedule_gpu {

std::string ablation_json(const std::vector<AblationRow> &rows);
Result<std::vector<AblationRow>> parse_ablation(std::string_view json);

// Errors begin with the path.
Result<std::vector<AblationRow>> read_ablation(const std::string &path);
Status write_ablation(const std::string &path, const std::vector<AblationRow> &rows);

// Whether they are of the same application, configuration, size and gpu.
bool same_entry(const AblationRow &a, const AblationRow &b);

// `rows`, then those of `earlier` that are of none of their entries.
std::vector<AblationRow> merged(std::vector<AblationRow> rows,
                                const std::vector<AblationRow> &earlier);

}  // namespace autoschedule_gpu
