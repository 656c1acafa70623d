#include "compare/rows/plots_of_rows.h"

#include <algorithm>
#include <array>

#include "compare/rows/groups.h"
#include "compare/rows/metrics.h"

namespace autoschedule_gpu {

namespace {

constexpr std::array<std::string_view, 4> kPlotted = {"search_s", "footprint_mb", "transaction_mb",
                                                      "run_ms"};

size_t series_of(const std::vector<std::string> &schedulers, std::string_view scheduler) {
    const auto found = std::find(schedulers.begin(), schedulers.end(), scheduler);
    return static_cast<size_t>(found - schedulers.begin());
}

// Returns the dot of a row; nullopt if it lacks the figure, unless it failed, which is shown as
// text.
std::optional<PlotDot> dot_of(const ComparisonMetric &metric, const ComparedRow &compared,
                              size_t series) {
    const ComparisonRow &row = *compared.row;
    PlotDot dot = {.series = series};
    if (row.failure) {
        dot.text = row.scheduler + ": failed (" + std::string(to_string(row.failure->kind)) + ")";
        return dot;
    }
    const std::optional<double> value = metric.value(row, compared.totals);
    if (!value) return std::nullopt;
    dot.text = metric_text(metric, *value) + " " + row.scheduler;
    if (*value > 0) dot.value = value;
    return dot;
}

}  // namespace

std::vector<DotPlot> dot_plots(const std::vector<ComparisonRow> &rows) {
    const std::vector<std::string> schedulers = schedulers_of(rows);
    const std::vector<ComparisonGroup> groups = group_rows(rows);
    std::vector<DotPlot> plots;
    for (const std::string_view key : kPlotted) {
        const ComparisonMetric &metric = *find_metric(key);
        DotPlot plot = {.title = std::string(metric.title),
                        .unit = std::string(metric.unit),
                        .better = "further left is better"};
        bool any_value = false;
        for (const ComparisonGroup &group : groups) {
            DotGroup &dots = plot.groups.emplace_back();
            dots.label = group.title;
            for (const ComparedRow &compared : group.rows) {
                const size_t series = series_of(schedulers, compared.row->scheduler);
                const std::optional<PlotDot> dot = dot_of(metric, compared, series);
                if (!dot) continue;
                any_value |= dot->value.has_value();
                dots.dots.push_back(*dot);
            }
        }
        std::erase_if(plot.groups, [](const DotGroup &group) { return group.dots.empty(); });
        if (any_value) plots.push_back(std::move(plot));
    }
    return plots;
}

std::vector<ScatterPlot> scatter_plots(const std::vector<ComparisonRow> &rows,
                                       std::string_view scheduler, std::string_view baseline) {
    const std::vector<ComparisonGroup> groups = group_rows(rows);
    const std::string own_name(scheduler), base_name(baseline);
    std::vector<ScatterPlot> plots;
    for (const std::string_view key : kPlotted) {
        const ComparisonMetric &metric = *find_metric(key);
        ScatterPlot plot = {
            .title = std::string(metric.title) + ", " + own_name + " and " + base_name,
            .unit = std::string(metric.unit),
            .better = "below the diagonal " + own_name + " is better",
            .x_name = base_name,
            .y_name = own_name,
            .series = series_of(schedulers_of(rows), scheduler)};
        for (const ComparisonGroup &group : groups) {
            const ComparedRow *own = group.find(scheduler), *base = group.find(baseline);
            if (own == nullptr || base == nullptr || !own->row->ok() || !base->row->ok()) continue;
            const std::optional<double> y = metric.value(*own->row, own->totals);
            const std::optional<double> x = metric.value(*base->row, base->totals);
            if (x && y && *x > 0 && *y > 0) plot.points.push_back({group.title, *x, *y});
        }
        if (!plot.points.empty()) plots.push_back(std::move(plot));
    }
    return plots;
}

}  // namespace autoschedule_gpu
