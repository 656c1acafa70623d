#include "compare/explain/explain.h"

#include <vector>

#include "compare/explain/decisions_section.h"
#include "compare/explain/explained.h"
#include "core/json/json.h"
#include "present/table_parts.h"
#include "present/terminal.h"
#include "present/text.h"

namespace autoschedule_gpu {
namespace {

std::string cell_text(const Json &value) {
    if (value.is_string()) return clean_text(value.get<std::string>());
    if (value.is_number_float()) return number_text(value.get<double>());
    return value.is_null() ? "-" : value.dump();
}

std::string percent(double part, double whole) {
    return whole > 0 ? number_text(100 * part / whole) : "-";
}

Table search_table(const Json &report) {
    const Json &search = report.at("search");
    Table table{.title = "Search",
                .caption = "Scheduled for " + cell_text(report.at("gpu")) + ", target " +
                           cell_text(report.at("target")) + ", ranked by " +
                           cell_text(report.at("model")) +
                           "; chosen: " + cell_text(report.at("chosen")) + ".",
                .columns = {words("what"), numbers("value")}};
    TableSection &section = table.sections.emplace_back();
    for (const auto &[name, value] : search.items()) {
        if (value.is_structured()) continue;
        section.lines.push_back(line({name, cell_text(value)}));
    }
    section.lines.push_back(line({"predicted_us", cell_text(report.at("predicted_us"))}));
    section.lines.push_back(line({"total_seconds", cell_text(report.at("total_seconds"))}));
    return table;
}

Table phases_table(const Json &search) {
    Table table{.title = "Time",
                .caption = "Wall time of the search's phases.",
                .columns = {words("phase"), numbers("time", "s"), numbers("share", "%")}};
    TableSection &section = table.sections.emplace_back();
    const double total = search.at("seconds").get<double>();
    for (const auto &[name, value] : search.at("phase_seconds").items()) {
        const double seconds = value.get<double>();
        section.lines.push_back(line({name, number_text(seconds), percent(seconds, total)}));
    }
    return table;
}

Table passes_table(const Json &search) {
    Table table{.title = "Passes",
                .caption = "The least predicted cost of each pass.",
                .columns = {numbers("pass"), numbers("cost", "us")}};
    TableSection &section = table.sections.emplace_back();
    int pass = 0;
    for (const Json &cost : search.at("pass_costs_us")) {
        section.lines.push_back(line({std::to_string(++pass), cell_text(cost)}));
    }
    return pass == 0 ? Table() : table;
}

Table parts_table(const Json &search) {
    if (!search.contains("parts")) return {};
    Table table{.title = "Parts",
                .caption =
                    "What was done, one after the other, with the least predicted cost "
                    "before and after it.",
                .columns = {words("attempt"), words("part"), numbers("time", "s"),
                            numbers("states"), numbers("before", "us"), numbers("after", "us")}};
    TableSection &section = table.sections.emplace_back();
    for (const Json &part : search.at("parts")) {
        section.lines.push_back(
            line({cell_text(part.at("attempt")), cell_text(part.at("name")),
                  cell_text(part.at("seconds")), cell_text(part.at("states")),
                  cell_text(part.at("cost_before_us")), cell_text(part.at("cost_after_us"))}));
    }
    return section.lines.empty() ? Table() : table;
}

Table rules_table(const Json &search) {
    Table table{.title = "Ruled out",
                .caption = "Decisions that a pruning rule rejected.",
                .columns = {words("rule"), numbers("decisions")}};
    TableSection section;
    for (const auto &[name, value] : search.at("rejections").items()) {
        if (value.get<uint64_t>() > 0) section.lines.push_back(line({name, cell_text(value)}));
    }
    if (section.lines.empty()) return {};
    table.sections.push_back(std::move(section));
    return table;
}

Table kernels_table(const Json &report) {
    if (report.at("predictions").is_null()) return {};
    Table table{
        .title = "Kernels",
        .caption = "As predicted, in the order of launch; inlined Funcs below each.",
        .columns = {words("stage"), numbers("time", "us"), words("bound by"),
                    numbers("reads", "MB"), numbers("blocks"), numbers("threads"),
                    numbers("shared", "B"), numbers("registers"), numbers("occupancy", "%")}};
    TableSection &section = table.sections.emplace_back();
    for (const Json &kernel : report.at("predictions")) {
        TableLine &row = section.lines.emplace_back(
            line({cell_text(kernel.at("stage")), cell_text(kernel.at("predicted_us")),
                  cell_text(kernel.at("bound_by")),
                  number_text(kernel.at("global_bytes_read").get<double>() / 1e6),
                  cell_text(kernel.at("blocks")), cell_text(kernel.at("threads_per_block")),
                  cell_text(kernel.at("shared_bytes_per_block")),
                  cell_text(kernel.at("registers_estimated")),
                  number_text(100 * kernel.at("warp_occupancy").get<double>())}));
        for (const Json &func : kernel.at("inlined")) {
            row.note += (row.note.empty() ? "inlined: " : ", ") + cell_text(func);
        }
    }
    return table;
}

Table refusals_table(const Json &report) {
    Table table{.title = "Refused by Halide",
                .caption = "Schedules that were tried before the chosen one.",
                .columns = {words("attempt"), words("error")}};
    TableSection section;
    for (const Json &trial : report.at("trial_lowerings_refused")) {
        section.lines.push_back(line({cell_text(trial.at("kind")), cell_text(trial.at("error"))}));
    }
    if (section.lines.empty()) return {};
    table.sections.push_back(std::move(section));
    return table;
}

// Of a schedule for several sizes. Reports that are older say nothing of any.
Table sizes_table(const Json &report) {
    const auto sizes = report.find("sizes");
    if (sizes == report.end() || sizes->empty()) return {};
    Table table{.title = "Sizes",
                .caption =
                    "The one schedule beside schedules made for each size alone, as "
                    "predicted. Schedules in it, each for its sizes: " +
                    cell_text(report.at("schedules_for_sizes")) + ".",
                .columns = {words("size"), numbers("weight"), words("made for"),
                            numbers("time", "us"), numbers("alone", "us"), numbers("regret", "%")}};
    TableSection &section = table.sections.emplace_back();
    for (const Json &size : *sizes) {
        const Json &regret = size.at("regret");
        section.lines.push_back(
            line({cell_text(size.at("name")), cell_text(size.at("weight")),
                  cell_text(size.at("made_for")), cell_text(size.at("predicted_us")),
                  cell_text(size.at("alone_us")),
                  regret.is_null() ? "-" : number_text(100 * regret.get<double>())}));
    }
    return table;
}

// Of a report that has them: reports that are older, or were written without `explain`, do not.
Table choices_table(std::string_view report) {
    const Result<Explained> explained = read_explained(report);
    return explained && explained->decided_us ? weightiest_decisions(*explained) : Table();
}

std::string text_of(const Json &report, const Table &choices) {
    const Json &search = report.at("search"), &nest = report.at("nest");
    std::vector<Table> tables{search_table(report)};
    if (!search.is_null()) {
        tables.insert(tables.end(), {phases_table(search), parts_table(search),
                                     passes_table(search), rules_table(search)});
    }
    tables.insert(tables.end(),
                  {sizes_table(report), refusals_table(report), kernels_table(report), choices});
    const std::string text = terminal_text(tables);
    return nest.is_null() ? text : text + nest.get<std::string>();
}

}  // namespace

Result<std::string> explain_report(std::string_view text) {
    const Json report = parse_loosely(text);
    if (!report.is_object() || report.value("format", Json()) != "autoschedule_gpu.report") {
        return Error{
            "expected a report of the GPU autoscheduler (autoscheduler.report=FILE), found "
            "something else"};
    }
    return read_fields<std::string>(
        report, "a field of the report is missing or of another type: ", [&](const Json &whole) {
            return text_of(whole, choices_table(text));
        });
}

}  // namespace autoschedule_gpu
