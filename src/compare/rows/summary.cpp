#include "compare/rows/summary.h"

#include <cmath>

#include "compare/rows/groups.h"

namespace autoschedule_gpu {

namespace {

SummaryCell compare_metric(const std::vector<ComparisonGroup> &groups, std::string_view scheduler,
                           std::string_view baseline, const ComparisonMetric &metric) {
    SummaryCell cell;
    double logarithms = 0;
    bool has_ratio = true;
    for (const ComparisonGroup &group : groups) {
        const ComparedRow *own = group.find(scheduler), *base = group.find(baseline);
        if (own == nullptr || base == nullptr || !own->row->ok() || !base->row->ok()) continue;
        const std::optional<double> value = metric.value(*own->row, own->totals);
        const std::optional<double> base_value = metric.value(*base->row, base->totals);
        if (!value || !base_value) continue;
        cell.apps++;
        cell.total += *value;
        cell.baseline_total += *base_value;
        if (*value == *base_value) continue;
        if (*value == 0 || *base_value == 0) {
            has_ratio = false;
        } else {
            logarithms += std::log(*value / *base_value);
        }
    }
    if (has_ratio && cell.apps > 0) cell.ratio = std::exp(logarithms / cell.apps);
    return cell;
}

}  // namespace

std::vector<SummaryLine> summarise(const std::vector<ComparisonRow> &rows,
                                   std::string_view baseline) {
    const std::vector<ComparisonGroup> groups = group_rows(rows);
    std::vector<SummaryLine> lines;
    for (const std::string &scheduler : schedulers_of(rows)) {
        SummaryLine line;
        line.scheduler = scheduler;
        for (const ComparisonGroup &group : groups) {
            const ComparedRow *own = group.find(scheduler);
            if (own == nullptr) continue;
            line.asked++;
            line.ok += own->row->ok();
            line.verified += own->row->ok() && own->row->verified.value_or(false);
        }
        for (const ComparisonMetric &metric : comparison_metrics()) {
            line.cells.push_back(compare_metric(groups, scheduler, baseline, metric));
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace autoschedule_gpu
