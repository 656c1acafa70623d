#include "compare/rows/roofline_plot.h"

#include <algorithm>
#include <functional>
#include <map>

#include "compare/rows/groups.h"
#include "compare/rows/metrics.h"
#include "compare/rows/roofline.h"

namespace autoschedule_gpu {

namespace {

// Returns the highest ceiling first. Ceilings that coincide become one, labelled with all their
// names.
std::vector<RooflineCeiling> ceilings_of(const RowRoofs &roofs) {
    std::map<double, std::string, std::greater<>> names;
    const auto add = [&](double gop_per_s, const std::string &name) {
        std::string &known = names[gop_per_s];
        known += (known.empty() ? "" : "; ") + name;
    };
    add(roofs.float_gop_per_s, "floats");
    add(roofs.integer_gop_per_s, "integers");
    add(roofs.float_gop_per_s / 2, "floats, not fused");
    std::vector<RooflineCeiling> ceilings;
    for (const auto &[gop_per_s, name] : names) {
        ceilings.push_back({name + ": " + decimal_text(gop_per_s) + " Gop/s", gop_per_s});
    }
    return ceilings;
}

RooflinePoint point_of(const RooflineRow &row, const std::string &label, size_t series,
                       PointKind kind, double ms) {
    const RooflineFigures &figures = *row.figures;
    RooflinePoint point = {.label = label,
                           .series = series,
                           .kind = kind,
                           .x = figures.intensity,
                           .y = figures.gop_per_s(ms)};
    point.title = label + ", " + row.row->scheduler + ": " + decimal_text(point.y) + " Gop/s at " +
                  decimal_text(point.x) + " operations per byte, " +
                  (kind == PointKind::predicted ? "predicted " : "measured ") + decimal_text(ms) +
                  " ms, " + decimal_text(100 * figures.share(ms)) + " % of what is attainable";
    return point;
}

void add_points(const ComparisonGroup &group, PointKind kind, const RowRoofs &roofs,
                const std::vector<std::string> &schedulers, RooflinePlot &plot) {
    for (const RooflineRow &row : roofline_rows(group)) {
        const std::optional<double> ms =
            kind == PointKind::predicted ? row.predicted_ms : row.measured_ms;
        if (!ms || row.row->roofs != roofs) continue;
        const auto series = std::find(schedulers.begin(), schedulers.end(), row.row->scheduler);
        plot.points.push_back(point_of(
            row, group.title, static_cast<size_t>(series - schedulers.begin()), kind, *ms));
    }
}

}  // namespace

std::vector<RooflinePlot> roofline_plots(const std::vector<ComparisonRow> &rows) {
    const std::vector<std::string> schedulers = schedulers_of(rows);
    const std::vector<ComparisonGroup> groups = group_rows(rows);
    std::vector<RooflinePlot> plots;
    for (const auto &[gpu, roofs] : roofs_of(rows)) {
        RooflinePlot plot = {
            .title = "roofline of " + gpu,
            .unit = "useful Gop/s",
            .better =
                "higher is better; rings are predicted, discs measured; lines join the "
                "schedules of an application",
            .slope_label = "DRAM: " + decimal_text(roofs.dram_gb_per_s) + " GB/s",
            .slope_gb_per_s = roofs.dram_gb_per_s,
            .ceilings = ceilings_of(roofs)};
        for (const ComparisonGroup &group : groups) {
            add_points(group, PointKind::predicted, roofs, schedulers, plot);
            add_points(group, PointKind::measured, roofs, schedulers, plot);
        }
        if (!plot.points.empty()) plots.push_back(std::move(plot));
    }
    return plots;
}

}  // namespace autoschedule_gpu
