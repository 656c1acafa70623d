#include "ablation/search_report.h"

#include <nlohmann/json.hpp>

namespace autoschedule_gpu {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char *kFormat = "autoschedule_gpu.report";
constexpr int kVersion = 1;

// Throws Json::exception as at() and get() do; parse_search_report catches it.
SearchFigures figures_of(const Json &report) {
    const Json &search = report.at("search");
    return {.stop_reason = search.at("stop_reason").get<std::string>(),
            .chosen = report.at("chosen").get<std::string>(),
            .steps = search.at("steps").get<int64_t>(),
            .passes = search.at("passes").get<int64_t>(),
            .states_enumerated = search.at("states_enumerated").get<int64_t>(),
            .states_rejected = search.at("states_rejected").get<int64_t>(),
            .states_scored = search.at("states_scored").get<int64_t>(),
            .kernels_asked = search.at("kernels_asked").get<int64_t>(),
            .kernels_evaluated = search.at("kernels_evaluated").get<int64_t>(),
            .funcs_frozen = search.at("funcs_frozen").get<int64_t>(),
            .memo_hits = search.at("memo_hits").get<int64_t>(),
            .memo_evicted = search.at("memo_evicted").get<int64_t>(),
            .pass_costs_us = search.at("pass_costs_us").get<std::vector<double>>(),
            .predicted_us = report.at("predicted_us").get<double>()};
}

}  // namespace

Result<SearchRun> parse_search_report(std::string_view text) {
    const Json report = Json::parse(text, nullptr, false);
    if (!report.is_object() || report.value("format", Json()) != kFormat ||
        report.value("version", Json()) != kVersion) {
        return Error{"expected a report of the plugin, of version " + std::to_string(kVersion) +
                     ", found none"};
    }
    try {
        const Json &search = report.at("search");
        SearchRun run{.figures = figures_of(report), .seconds = search.at("seconds").get<double>()};
        for (const auto &[name, seconds] : search.at("phase_seconds").items()) {
            run.phases.push_back({name, seconds.get<double>()});
        }
        return run;
    } catch (const Json::exception &error) {
        return Error{std::string("the plugin's report is not as it should be: ") + error.what()};
    }
}

}  // namespace autoschedule_gpu
