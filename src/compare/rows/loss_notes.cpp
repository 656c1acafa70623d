#include "compare/rows/loss_notes.h"

#include <algorithm>
#include <tuple>

#include "compare/rows/json_rows.h"
#include "compare/rows/metrics.h"

namespace autoschedule_gpu {

template <typename Visitor>
void visit_fields(Visitor &visitor, LossNote &note) {
    visitor.field("app", note.app);
    visitor.field("metric", note.metric);
    visitor.field("text", note.text);
}

namespace {

std::string known_metrics() {
    std::string names = "one of " + std::string(kFailureNote);
    for (const ComparisonMetric &metric : comparison_metrics()) {
        names += ", " + std::string(metric.key);
    }
    return names;
}

}  // namespace

std::string note_on(const std::vector<LossNote> &notes, std::string_view app,
                    std::string_view metric) {
    const auto found = std::find_if(notes.begin(), notes.end(), [&](const LossNote &note) {
        return note.app == app && note.metric == metric;
    });
    return found == notes.end() ? "" : found->text;
}

static bool same_entry(const LossNote &a, const LossNote &b) {
    return std::tie(a.app, a.metric) == std::tie(b.app, b.metric);
}

static std::optional<Error> complaint(const LossNote &note, size_t index) {
    if (note.metric == kFailureNote || find_metric(note.metric) != nullptr) return std::nullopt;
    return Error{"row " + std::to_string(index + 1) + ", field \"metric\": expected " +
                 known_metrics() + ", found \"" + note.metric + "\""};
}

template struct RowsFile<LossNote>;

}  // namespace autoschedule_gpu
