// The files that a comparison leaves in its folder: the rows (results.json), what follows from them
// (roofline.json, results.md), rows at other sizes (cross_resolution.json and .md), and a page with
// all of it (index.html).
#pragma once

#include <string>
#include <vector>

#include "compare/rows/comparison_page.h"
#include "core/support/error.h"

namespace autoschedule_gpu {

class ComparisonFolder {
public:
    // The page also shows what an earlier call left in `folder`. The header's date and device are
    // replaced by those of the rows; without a device that any of them ran on, the page names none.
    ComparisonFolder(std::string folder, PageHeader header, Presentation presentation);

    // Replaces the rows of that kind and rewrites all files as a whole.
    Status show(const std::vector<ComparisonRow> &rows);
    Status show(const std::vector<CrossRow> &rows);

    // Returns the rows as text for a terminal.
    std::string text() const;

private:
    std::string path(const char *name) const { return folder_ + "/" + name; }
    Status write_page();

    std::string folder_;
    PageHeader header_;
    Presentation presentation_;
    std::vector<ComparisonRow> rows_;
    std::vector<CrossRow> cross_rows_;
};

}  // namespace autoschedule_gpu
