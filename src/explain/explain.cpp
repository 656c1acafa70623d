#include "explain/explain.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "compare/terminal.h"
#include "compare/text.h"
#include "explain/table_parts.h"

namespace autoschedule_gpu {
namespace {

using Json = nlohmann::ordered_json;

std::string shown(const Json &value) {
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
                .caption = "Scheduled for " + shown(report.at("gpu")) + ", target " +
                           shown(report.at("target")) + ", ranked by " + shown(report.at("model")) +
                           "; chosen: " + shown(report.at("chosen")) + ".",
                .columns = {words("what"), numbers("value")}};
    TableSection &section = table.sections.emplace_back();
    for (const auto &[name, value] : search.items()) {
        if (value.is_structured()) continue;
        section.lines.push_back(line({name, shown(value)}));
    }
    section.lines.push_back(line({"predicted_us", shown(report.at("predicted_us"))}));
    section.lines.push_back(line({"total_seconds", shown(report.at("total_seconds"))}));
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
        section.lines.push_back(line({std::to_string(++pass), shown(cost)}));
    }
    return pass == 0 ? Table() : table;
}

Table rules_table(const Json &search) {
    Table table{.title = "Ruled out",
                .caption = "Decisions that a pruning rule rejected.",
                .columns = {words("rule"), numbers("decisions")}};
    TableSection section;
    for (const auto &[name, value] : search.at("rejections").items()) {
        if (value.get<uint64_t>() > 0) section.lines.push_back(line({name, shown(value)}));
    }
    if (section.lines.empty()) return {};
    table.sections.push_back(std::move(section));
    return table;
}

Table kernels_table(const Json &report) {
    if (report.at("predictions").is_null()) return {};
    Table table{.title = "Kernels",
                .caption = "As predicted, in the order of launch; inlined Funcs below each.",
                .columns = {words("stage"), numbers("time", "us"), words("bound by"),
                            numbers("blocks"), numbers("threads"), numbers("shared", "B"),
                            numbers("registers"), numbers("occupancy", "%")}};
    TableSection &section = table.sections.emplace_back();
    for (const Json &kernel : report.at("predictions")) {
        TableLine &row = section.lines.emplace_back(
            line({shown(kernel.at("stage")), shown(kernel.at("predicted_us")),
                  shown(kernel.at("bound_by")), shown(kernel.at("blocks")),
                  shown(kernel.at("threads_per_block")), shown(kernel.at("shared_bytes_per_block")),
                  shown(kernel.at("registers_estimated")),
                  number_text(100 * kernel.at("warp_occupancy").get<double>())}));
        for (const Json &func : kernel.at("inlined")) {
            row.note += (row.note.empty() ? "inlined: " : ", ") + shown(func);
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
        section.lines.push_back(line({shown(trial.at("kind")), shown(trial.at("error"))}));
    }
    if (section.lines.empty()) return {};
    table.sections.push_back(std::move(section));
    return table;
}

}  // namespace

Result<std::string> explain_report(std::string_view text) {
    const Json report = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    const bool ours = report.is_object() && report.contains("format") &&
                      report["format"] == "autoschedule_gpu.report";
    if (!ours) {
        return Error{
            "expected a report of the GPU autoscheduler (autoscheduler.report=FILE), found "
            "something else"};
    }
    try {
        const Json &search = report.at("search"), &nest = report.at("nest");
        std::vector<Table> tables{search_table(report)};
        if (!search.is_null()) {
            tables.insert(tables.end(),
                          {phases_table(search), passes_table(search), rules_table(search)});
        }
        tables.insert(tables.end(), {refusals_table(report), kernels_table(report)});
        std::string out;
        for (const Table &table : tables) out += terminal_text(table);
        return nest.is_null() ? out : out + nest.get<std::string>();
    } catch (const Json::exception &error) {
        return Error{std::string("a field of the report is missing or of another type: ") +
                     error.what()};
    }
}

}  // namespace autoschedule_gpu
