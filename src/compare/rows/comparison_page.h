// Shows a comparison as an HTML page (present/html_page.h).
#pragma once

#include <string>
#include <vector>

#include "compare/rows/cross_resolution.h"
#include "compare/rows/presentation.h"
#include "compare/rows/row.h"

namespace autoschedule_gpu {

// Appears at the top of the page; empty texts are left out.
struct PageHeader {
    std::string title = "Autoschedulers compared";
    std::string date = {};
    std::string command = {};
    std::string machine = {};
    std::string device = {};
};

// Returns the page. It has no section on other sizes if there are no cross rows.
std::string comparison_page(const PageHeader &header, const std::vector<ComparisonRow> &rows,
                            const Presentation &presentation = {},
                            const std::vector<CrossRow> &cross_rows = {});

}  // namespace autoschedule_gpu
