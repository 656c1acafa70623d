// roofline.json: a JSON array with one object per row of a comparison, in the same order. It holds
// what follows from the rows (roofline.h), for other programs to draw. It is only written, because
// it can be computed again from results.json.
//
//     app, scheduler, size, gpu
//     unknown                    null, or why the figures below are null
//     operations, useful_operations, recomputation, dram_bytes
//     intensity                  operations per byte
//     bound                      "memory" or "arithmetic"
//     attainable_gop_per_s       10^9 operations per second
//     exact                      counted, not estimated
//     predicted, measured        null, or {"ms", "gop_per_s", "share"}; the share is 0 to 1
#pragma once

#include <string>
#include <vector>

#include "compare/rows/row.h"
#include "core/support/error.h"

namespace autoschedule_gpu {

// Return the text, and write it to a file; an error begins with the path.
std::string roofline_json(const std::vector<ComparisonRow> &rows);
Status write_roofline(const std::string &path, const std::vector<ComparisonRow> &rows);

}  // namespace autoschedule_gpu
