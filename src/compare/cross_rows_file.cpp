#include "compare/cross_rows_file.h"

#include <tuple>

#include "compare/json_rows.h"
#include "support/file.h"

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

std::string cross_rows_json(const std::vector<CrossRow> &rows) {
    return json_rows::write(rows);
}

Result<std::vector<CrossRow>> parse_cross_rows(std::string_view json) {
    const auto identity = [](const CrossRow &row) {
        return std::tie(row.app, row.scheduler, row.scheduled_for.name, row.run_at.name,
                        row.device);
    };
    return json_rows::parse<CrossRow>(
        json, [&](const CrossRow &a, const CrossRow &b) { return identity(a) == identity(b); });
}

Result<std::vector<CrossRow>> read_cross_rows(const std::string &path) {
    return json_rows::read_from(path, parse_cross_rows);
}

Status write_cross_rows(const std::string &path, const std::vector<CrossRow> &rows) {
    return write_file(path, cross_rows_json(rows));
}

}  // namespace autoschedule_gpu
