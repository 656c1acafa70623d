// What differs between two schedules of a pipeline: in words, in a table of their kernels, and in
// pictures of the loops that are not the same.
#pragma once

#include <string>
#include <string_view>

#include "core/support/error.h"

namespace autoschedule_gpu {

// A report and what it is called: its file.
struct NamedReport {
    std::string name;
    std::string json;
};

// For a terminal. Errors begin with the name of the report that is none.
Result<std::string> difference_as_text(const NamedReport &a, const NamedReport &b);

// The same as a page, with the pictures.
Result<std::string> difference_as_page(const NamedReport &a, const NamedReport &b);

}  // namespace autoschedule_gpu
