// The autoscheduler's report as one page that needs nothing else, which an engineer opens first:
// the pipeline as a graph of kernels, each kernel's loops and memory as a picture, what limits it
// and what would relieve it, what else could have been decided and at which cost, and the search.
#pragma once

#include <string>
#include <string_view>

#include "core/support/error.h"

namespace autoschedule_gpu {

// Returns an error if the text is not a report (plugins/autoscheduler/report.h) or lacks a field.
Result<std::string> explain_page(std::string_view json);

}  // namespace autoschedule_gpu
