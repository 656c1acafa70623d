// Invented rows: round numbers that can be checked by hand, measured on nothing.
#pragma once

#include <string>

#include "compare/ablation/row.h"

namespace autoschedule_gpu::ablation_sample {

inline AblationRow blank_row(const std::string &app, const std::string &configuration) {
    AblationRow row;
    row.app = app;
    row.configuration = configuration;
    row.size = "full";
    row.gpu = "A100";
    row.parameters = "memo=on";
    row.inputs = "0123456789abcdef";
    row.timeout_s = 300;
    row.measured_unix_s = 1000;
    return row;
}

// A search of 2 s, 1000 states of 4000 listed, 50 us predicted, 100 MiB.
inline AblationRow row(const std::string &app, const std::string &configuration) {
    AblationRow row = blank_row(app, configuration);
    row.search_s = {2};
    row.phases = {{"freeze", 0.5}, {"evaluate", 1.5}};
    row.peak_mb = 100;
    row.search = SearchFigures{.stop_reason = "completed",
                               .chosen = "search",
                               .steps = 20,
                               .passes = 5,
                               .states_enumerated = 4000,
                               .states_rejected = 3000,
                               .states_scored = 1000,
                               .kernels_asked = 2000,
                               .kernels_evaluated = 500,
                               .funcs_frozen = 3,
                               .memo_hits = 1500,
                               .memo_evicted = 0,
                               .pass_costs_us = {60, 50},
                               .predicted_us = 50};
    return row;
}

inline AblationRow failed_row(const std::string &app, const std::string &configuration) {
    AblationRow row = blank_row(app, configuration);
    row.failure = RowFailure{FailureKind::timeout, "no end after 300 s"};
    row.reproduce = "bin/" + app + ".generator -g " + app;
    return row;
}

}  // namespace autoschedule_gpu::ablation_sample
