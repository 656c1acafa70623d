// results.json: a JSON array with one object per ComparisonRow. Its fields are the members of
// ComparisonRow and RowKernel by name, but for
//
//     status            "ok" or "failed"
//     reason            null, or "KIND: sentence" with a KIND of kFailureKindNames
//     *_interval        [low, high] or null
//     blocks, threads   [x, y, z], null for what is known only at run time
//
// Every field is there; what is unknown is null. Refused, with the row, the field, what was
// expected and what was found: a missing, unknown or repeated field, a value of another type or
// out of its range, a reason that does not go with the status, "ok" with a wrong output, and two
// rows of one application, scheduler, size and gpu: a file is of one device.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compare/row.h"
#include "support/error.h"

namespace autoschedule_gpu {

// parse_comparison gives the same rows back.
std::string comparison_json(const std::vector<ComparisonRow> &rows);
Result<std::vector<ComparisonRow>> parse_comparison(std::string_view json);

// The error of a file begins with its path.
Result<std::vector<ComparisonRow>> read_comparison(const std::string &path);
Status write_comparison(const std::string &path, const std::vector<ComparisonRow> &rows);

}  // namespace autoschedule_gpu
