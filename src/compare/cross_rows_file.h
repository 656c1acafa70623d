// cross_resolution.json: a JSON array with one object per CrossRow, written and refused like
// results.json (rows_file.h). "scheduled_for" and "run_at" are {"name": ..., "extents": ...}.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compare/cross_resolution.h"
#include "support/error.h"

namespace autoschedule_gpu {

// parse_cross_rows gives the same rows back.
std::string cross_rows_json(const std::vector<CrossRow> &rows);
Result<std::vector<CrossRow>> parse_cross_rows(std::string_view json);

// The error of a file begins with its path.
Result<std::vector<CrossRow>> read_cross_rows(const std::string &path);
Status write_cross_rows(const std::string &path, const std::vector<CrossRow> &rows);

}  // namespace autoschedule_gpu
