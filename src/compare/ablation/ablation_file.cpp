#include "compare/ablation/ablation_file.h"

#include <algorithm>
#include <tuple>

#include "compare/rows/json_rows.h"

namespace autoschedule_gpu {

template <typename Visitor>
void visit_fields(Visitor &visitor, SearchFigures &figures) {
    visitor.field("stop_reason", figures.stop_reason);
    visitor.field("chosen", figures.chosen);
    visitor.field("steps", figures.steps);
    visitor.field("passes", figures.passes);
    visitor.field("states_enumerated", figures.states_enumerated);
    visitor.field("states_rejected", figures.states_rejected);
    visitor.field("states_scored", figures.states_scored);
    visitor.field("kernels_asked", figures.kernels_asked);
    visitor.field("kernels_evaluated", figures.kernels_evaluated);
    visitor.field("funcs_frozen", figures.funcs_frozen);
    visitor.field("memo_hits", figures.memo_hits);
    visitor.field("memo_evicted", figures.memo_evicted);
    visitor.field("pass_costs_us", figures.pass_costs_us);
    visitor.field("predicted_us", figures.predicted_us);
}

template <typename Visitor>
void visit_fields(Visitor &visitor, PhaseTime &phase) {
    visitor.field("name", phase.name);
    visitor.field("seconds", phase.seconds);
}

template <typename Visitor>
void visit_fields(Visitor &visitor, AblationRow &row) {
    visitor.field("app", row.app);
    visitor.field("configuration", row.configuration);
    visitor.field("size", row.size);
    visitor.field("gpu", row.gpu);
    visitor.field("parameters", row.parameters);
    visitor.field("inputs", row.inputs);
    visitor.field("timeout_s", row.timeout_s);
    visitor.field("measured_unix_s", row.measured_unix_s);
    visitor.outcome(row.failure);
    visitor.field("reproduce", row.reproduce);
    visitor.field("search_s", row.search_s);
    visitor.field("phases", row.phases);
    visitor.field("peak_mb", row.peak_mb);
    visitor.field("search", row.search);
}

static std::optional<Error> complaint(const AblationRow &row, size_t /*index*/) {
    if (row.ok() == (row.search && !row.search_s.empty())) return std::nullopt;
    return Error{
        "row of " + row.app + ", " + row.configuration +
        ": expected \"search\" and \"search_s\" where the status is \"ok\", and only there"};
}

bool same_entry(const AblationRow &a, const AblationRow &b) {
    return std::tie(a.app, a.configuration, a.size, a.gpu) ==
           std::tie(b.app, b.configuration, b.size, b.gpu);
}

template struct RowsFile<AblationRow>;

std::vector<AblationRow> merged(std::vector<AblationRow> rows,
                                const std::vector<AblationRow> &earlier) {
    const size_t own = rows.size();
    for (const AblationRow &old : earlier) {
        const bool replaced =
            std::any_of(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(own),
                        [&](const AblationRow &row) { return same_entry(row, old); });
        if (!replaced) rows.push_back(old);
    }
    return rows;
}

}  // namespace autoschedule_gpu
