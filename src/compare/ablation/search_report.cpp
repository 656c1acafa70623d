#include "compare/ablation/search_report.h"

#include "core/json/json.h"

namespace autoschedule_gpu {
namespace {

constexpr const char *kFormat = "autoschedule_gpu.report";
constexpr int kVersion = 1;

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

SearchRun run_of(const Json &report) {
    const Json &search = report.at("search");
    SearchRun run{.figures = figures_of(report), .seconds = search.at("seconds").get<double>()};
    for (const auto &[name, seconds] : search.at("phase_seconds").items()) {
        run.phases.push_back({name, seconds.get<double>()});
    }
    return run;
}

}  // namespace

Result<SearchRun> parse_search_report(std::string_view text) {
    const Json report = parse_loosely(text);
    if (!has_format(report, kFormat, kVersion)) {
        return Error{"expected a report of the plugin, of version " + std::to_string(kVersion) +
                     ", found none"};
    }
    return read_fields<SearchRun>(report, "the plugin's report is not as it should be: ", run_of);
}

}  // namespace autoschedule_gpu
