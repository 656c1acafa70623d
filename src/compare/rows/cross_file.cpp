#include "compare/rows/cross_file.h"

#include <tuple>

#include "compare/rows/json_rows.h"

namespace autoschedule_gpu {

template <typename Visitor>
void visit_fields(Visitor &visitor, NamedSize &size) {
    visitor.field("name", size.name);
    visitor.field("extents", size.extents);
}

template <typename Visitor>
void visit_fields(Visitor &visitor, CrossRow &row) {
    visitor.field("app", row.app);
    visitor.field("scheduler", row.scheduler);
    visitor.field("scheduled_for", row.scheduled_for);
    visitor.field("run_at", row.run_at);
    visitor.outcome(row.failure);
    visitor.verified(row.verified, row.failure);
    visitor.median("run_ms", row.run_ms, row.run_ms_interval);
    visitor.field("device", row.device);
}

static bool same_entry(const CrossRow &a, const CrossRow &b) {
    const auto identity = [](const CrossRow &row) {
        return std::tie(row.app, row.scheduler, row.scheduled_for.name, row.run_at.name,
                        row.device);
    };
    return identity(a) == identity(b);
}

template struct RowsFile<CrossRow>;

}  // namespace autoschedule_gpu
