#include "compare/loss_notes.h"

#include <algorithm>
#include <tuple>

#include "compare/json_rows.h"
#include "compare/metrics.h"

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

Result<std::vector<LossNote>> parse_loss_notes(std::string_view json) {
    Result<std::vector<LossNote>> notes =
        json_rows::parse<LossNote>(json, [](const LossNote &a, const LossNote &b) {
            return std::tie(a.app, a.metric) == std::tie(b.app, b.metric);
        });
    if (!notes) return notes;
    for (size_t i = 0; i < notes->size(); i++) {
        const std::string &metric = (*notes)[i].metric;
        if (metric == kFailureNote || find_metric(metric) != nullptr) continue;
        return Error{"row " + std::to_string(i + 1) + ", field \"metric\": expected " +
                     known_metrics() + ", found \"" + metric + "\""};
    }
    return notes;
}

Result<std::vector<LossNote>> read_loss_notes(const std::string &path) {
    return json_rows::read_from(path, parse_loss_notes);
}

}  // namespace autoschedule_gpu
