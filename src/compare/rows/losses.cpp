#include "compare/rows/losses.h"

#include "compare/rows/groups.h"

namespace autoschedule_gpu {

namespace {

std::vector<const ComparedRow *> rivals_of(const ComparisonGroup &group,
                                           std::string_view scheduler) {
    std::vector<const ComparedRow *> rivals;
    for (const ComparedRow &other : group.rows) {
        if (!other.row->ok()) continue;
        if (scheduler_family(other.row->scheduler) == scheduler_family(scheduler)) continue;
        rivals.push_back(&other);
    }
    return rivals;
}

void compare_metric(const ComparisonGroup &group, const ComparedRow &own,
                    const std::vector<const ComparedRow *> &rivals, const ComparisonMetric &metric,
                    Losses &losses) {
    const std::optional<double> value = metric.value(*own.row, own.totals);
    if (!value || metric.better == Better::neither) return;
    MetricLoss loss = {group.title, own.row->app, &metric, *value};
    bool compared = false;
    for (const ComparedRow *rival : rivals) {
        const std::optional<double> other = metric.value(*rival->row, rival->totals);
        if (!other) continue;
        compared = true;
        const double ratio = times_worse(metric, *value, *other);
        if (ratio <= kLossThreshold) continue;
        loss.better_schedulers++;
        const bool best =
            loss.best_scheduler.empty() || times_worse(metric, loss.best_value, *other) > 1;
        if (!best) continue;
        loss.best_scheduler = rival->row->scheduler;
        loss.best_value = *other;
        loss.times_worse = ratio;
    }
    losses.compared += compared;
    if (loss.better_schedulers > 0) losses.metrics.push_back(std::move(loss));
}

}  // namespace

Losses find_losses(const std::vector<ComparisonRow> &rows, std::string_view scheduler) {
    Losses losses;
    for (const ComparisonGroup &group : group_rows(rows)) {
        const ComparedRow *own = group.find(scheduler);
        if (own == nullptr) continue;
        const std::vector<const ComparedRow *> rivals = rivals_of(group, scheduler);
        if (own->row->ok()) {
            for (const ComparisonMetric &metric : comparison_metrics()) {
                compare_metric(group, *own, rivals, metric, losses);
            }
        } else if (!rivals.empty()) {
            FailureLoss loss = {group.title, own->row->app, to_string(*own->row->failure)};
            for (const ComparedRow *rival : rivals) loss.done_by.push_back(rival->row->scheduler);
            losses.failures.push_back(std::move(loss));
        }
    }
    return losses;
}

}  // namespace autoschedule_gpu
