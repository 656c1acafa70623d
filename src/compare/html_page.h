// A comparison as one HTML page that needs nothing else: style and plots (SVG) are inside, there is
// no script and no reference to another file, and light or dark follows the reader's system. It is
// well-formed XML as well.
#pragma once

#include <string>
#include <vector>

#include "compare/cross_resolution.h"
#include "compare/presentation.h"
#include "compare/row.h"

namespace autoschedule_gpu {

// Shown at the top; empty texts are left out.
struct PageHeader {
    std::string title = "Autoschedulers compared";
    std::string date = {};
    std::string command = {};
    std::string machine = {};
    std::string device = {};
};

// Without cross rows there is no cross-resolution section.
std::string html_page(const PageHeader &header, const std::vector<ComparisonRow> &rows,
                      const Presentation &presentation = {},
                      const std::vector<CrossRow> &cross_rows = {});

}  // namespace autoschedule_gpu
