#include <cstdio>

#include "learn/train/report_card.h"

namespace autoschedule_gpu {

namespace {

// The table has at most so many pipelines; the JSON has all.
constexpr size_t kMostLines = 40;

std::string number(const char *format, double value) {
    char text[32];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string number(const char *format, std::optional<double> value) {
    return value ? number(format, *value) : "-";
}

std::vector<TableColumn> columns(const std::string &first) {
    std::vector<TableColumn> columns = {{.title = first}};
    for (const char *title : {"schedules", "pairs", "accuracy", "Spearman"}) {
        columns.push_back({.title = title, .of_numbers = true});
    }
    for (const size_t k : kRegretAt) {
        columns.push_back({.title = "regret@" + std::to_string(k), .of_numbers = true});
    }
    columns.push_back({.title = "predicted / measured", .of_numbers = true});
    return columns;
}

TableLine line(const std::string &name, const RankQuality &quality) {
    TableLine line;
    const auto add = [&](std::string text) { line.cells.push_back({.text = std::move(text)}); };
    add(name);
    add(std::to_string(quality.schedules));
    add(std::to_string(quality.pairs.pairs));
    add(number("%.3f", quality.pairs.accuracy()));
    add(number("%.3f", quality.spearman));
    for (const std::optional<double> &regret : quality.regret) {
        add(regret ? number("%.1f %%", 100 * *regret) : "-");
    }
    const Calibration &c = quality.calibration;
    add(number("%.2f", c.median) + " (" + number("%.2f", c.low) + " to " + number("%.2f", c.high) +
        ")");
    return line;
}

std::string title_of(const Judged &judged) {
    return judged.size.empty() ? judged.pipeline : judged.pipeline + ", " + judged.size;
}

}  // namespace

std::vector<Table> report_card_tables(const ReportCard &card) {
    Table models{
        .title = "Cost models on " + card.dataset->origin.device,
        .caption =
            "Judged by " + protocol_of(*card.retrained, card.dataset->by_name().size()) +
            ". Accuracy: pairs of schedules of a pipeline at one size, over 5 % "
            "apart, in the right order. Regret: what the best of the model's first k loses to "
            "the best. Predicted / measured: the median, and 5 to 95 % of the "
            "schedules.",
        .columns = columns("model"),
        .sections = {{}}};
    Table pipelines{.title = "The new network, pipeline by pipeline",
                    .columns = columns("pipeline"),
                    .sections = {{}}};
    for (const ModelCard &model : card.models) {
        if (model.judged.empty()) continue;
        TableLine total = line(model.model, rank_quality(model.judged));
        if (model.seen > 0) {
            total.note = std::to_string(model.seen) + " of the " +
                         std::to_string(count_pipelines(model.judged)) +
                         " pipelines were in its training: there, its figures flatter it";
        }
        models.sections[0].lines.push_back(std::move(total));
    }
    for (const Judged &judged : card.retrained->held_out) {
        if (pipelines.sections[0].lines.size() == kMostLines) {
            pipelines.legend = "The other pipelines are in the report file.";
            break;
        }
        pipelines.sections[0].lines.push_back(line(title_of(judged), rank_quality(judged)));
    }
    return {std::move(models), std::move(pipelines)};
}

}  // namespace autoschedule_gpu
