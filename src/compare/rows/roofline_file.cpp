#include "compare/rows/roofline_file.h"

#include <algorithm>

#include "compare/rows/roofline.h"
#include "core/json/json.h"
#include "core/support/file.h"

namespace autoschedule_gpu {

namespace {

Json time_json(const RooflineFigures &figures, const std::optional<double> &ms) {
    if (!ms) return {};
    return {{"ms", *ms}, {"gop_per_s", figures.gop_per_s(*ms)}, {"share", figures.share(*ms)}};
}

Json json_of(const RooflineRow &row) {
    Json json = {{"app", row.row->app},
                 {"scheduler", row.row->scheduler},
                 {"size", row.row->size},
                 {"gpu", row.row->gpu},
                 {"unknown", row.figures ? Json() : Json(row.unknown)}};
    for (const char *key :
         {"operations", "useful_operations", "recomputation", "dram_bytes", "intensity", "bound",
          "attainable_gop_per_s", "exact", "predicted", "measured"}) {
        json[key] = nullptr;
    }
    if (!row.figures) return json;
    const RooflineFigures &figures = *row.figures;
    json["operations"] = figures.operations;
    json["useful_operations"] = figures.useful_operations;
    json["recomputation"] = figures.recomputation();
    json["dram_bytes"] = figures.dram_bytes;
    json["intensity"] = figures.intensity;
    json["bound"] = to_string(figures.bound);
    json["attainable_gop_per_s"] = figures.attainable_gop_per_s;
    json["exact"] = figures.exact;
    json["predicted"] = time_json(figures, row.predicted_ms);
    json["measured"] = time_json(figures, row.measured_ms);
    return json;
}

}  // namespace

std::string roofline_json(const std::vector<ComparisonRow> &rows) {
    Json json = Json::array();
    // The order is that of the rows, because groups may interleave.
    std::vector<RooflineRow> all;
    const std::vector<ComparisonGroup> groups = group_rows(rows);
    for (const ComparisonGroup &group : groups) {
        for (const RooflineRow &row : roofline_rows(group)) all.push_back(row);
    }
    std::sort(all.begin(), all.end(),
              [](const RooflineRow &a, const RooflineRow &b) { return a.row < b.row; });
    for (const RooflineRow &row : all) json.push_back(json_of(row));
    return dump(json, 2) + "\n";
}

Status write_roofline(const std::string &path, const std::vector<ComparisonRow> &rows) {
    return write_file(path, roofline_json(rows));
}

}  // namespace autoschedule_gpu
