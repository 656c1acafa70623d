#include "compare/rows/comparison_folder.h"

#include <utility>

#include "compare/rows/comparison_file.h"
#include "compare/rows/cross_file.h"
#include "compare/rows/roofline_file.h"
#include "compare/rows/tables.h"
#include "core/support/file.h"
#include "present/markdown.h"
#include "present/terminal.h"

namespace autoschedule_gpu {
namespace {

// A row that failed before it ran names no device.
template <typename Row>
std::string first_device(const std::vector<Row> &rows) {
    for (const Row &row : rows) {
        if (row.device != "none") return row.device;
    }
    return "";
}

}  // namespace

ComparisonFolder::ComparisonFolder(std::string folder, PageHeader header, Presentation presentation)
    : folder_(std::move(folder)),
      header_(std::move(header)),
      presentation_(std::move(presentation)) {
    if (auto cross = CrossFile::read(path("cross_resolution.json"))) {
        cross_rows_ = std::move(cross).value();
    }
    if (auto rows = ComparisonFile::read(path("results.json"))) rows_ = std::move(rows).value();
}

Status ComparisonFolder::show(const std::vector<ComparisonRow> &rows) {
    rows_ = rows;
    const std::string markdown = markdown_text(tables_for_text(rows_, presentation_));
    if (Status done = ComparisonFile::write(path("results.json"), rows_); !done) return done;
    if (Status done = write_roofline(path("roofline.json"), rows_); !done) return done;
    if (Status done = write_file(path("results.md"), markdown); !done) return done;
    return write_page();
}

Status ComparisonFolder::show(const std::vector<CrossRow> &rows) {
    cross_rows_ = rows;
    const std::string markdown = markdown_text(tables_for_text(rows));
    if (Status done = CrossFile::write(path("cross_resolution.json"), rows); !done) return done;
    if (Status done = write_file(path("cross_resolution.md"), markdown); !done) return done;
    return write_page();
}

std::string ComparisonFolder::text() const {
    return terminal_text(tables_for_text(rows_, presentation_));
}

Status ComparisonFolder::write_page() {
    if (!rows_.empty()) header_.date = rows_.front().date;
    header_.device = first_device(rows_);
    if (header_.device.empty()) header_.device = first_device(cross_rows_);
    return write_file(path("index.html"),
                      comparison_page(header_, rows_, presentation_, cross_rows_));
}

}  // namespace autoschedule_gpu
