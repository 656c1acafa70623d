#include "tune/contest/contest_plots.h"

#include <algorithm>
#include <string>

#include "tune/contest/standings.h"

namespace autoschedule_gpu {
namespace {

double end_of(const Seeds &seeds, CourseAxis axis) {
    double end = 0;
    for (const ContestRun *run : seeds) {
        end = std::max(end, axis == CourseAxis::trials ? run->trials : run->seconds);
    }
    return end;
}

CurvePlot plot_of(const std::vector<ContestRun> &runs, const std::string &app, CourseAxis axis) {
    const bool by_trials = axis == CourseAxis::trials;
    CurvePlot plot{.title = app + ", best so far over " + (by_trials ? "trials" : "time"),
                   .unit = "ms",
                   .better = "lower is better",
                   .x_name = by_trials ? "trials" : "seconds",
                   .y_name = "best so far"};
    const std::vector<std::string> strategies = strategies_of(runs);
    for (size_t i = 0; i < strategies.size(); ++i) {
        const Seeds seeds = seeds_of(runs, app, strategies[i]);
        Curve curve{.label = strategies[i], .series = i};
        for (const BandPoint &point : band_of(seeds, axis)) {
            const Quartiles &best = point.best_ms;
            curve.points.push_back(
                {.x = point.x, .low = best.low, .middle = best.middle, .high = best.high});
        }
        if (curve.points.empty()) continue;
        curve.end = std::max(end_of(seeds, axis), curve.points.back().x);
        plot.curves.push_back(std::move(curve));
    }
    return plot;
}

}  // namespace

std::vector<CurvePlot> contest_plots(const std::vector<ContestRun> &runs) {
    std::vector<CurvePlot> plots;
    for (const std::string &app : apps_of(runs)) {
        for (const CourseAxis axis : {CourseAxis::trials, CourseAxis::seconds}) {
            CurvePlot plot = plot_of(runs, app, axis);
            if (!plot.curves.empty()) plots.push_back(std::move(plot));
        }
    }
    return plots;
}

}  // namespace autoschedule_gpu
