// What an ablation found out about one application under one configuration, as plain data.
//
//     report of the plugin ─► search_report ─► AblationRow ◄─► rows_file (ablation.json)
//                                                  │
//                                                  └─► tables ─► terminal, markdown
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compare/rows/row.h"

namespace autoschedule_gpu {

// What a search reports about itself in the plugin's report (plugins/autoscheduler/report.h), where
// these names are explained. It is the same at every repeat.
struct SearchFigures {
    std::string stop_reason = {};
    std::string chosen = {};  // "search", or what Halide accepted instead
    int64_t steps = 0;
    int64_t passes = 0;
    int64_t states_enumerated = 0;
    int64_t states_rejected = 0;
    int64_t states_scored = 0;
    int64_t kernels_asked = 0;
    int64_t kernels_evaluated = 0;
    int64_t funcs_frozen = 0;
    int64_t memo_hits = 0;
    int64_t memo_evicted = 0;
    std::vector<double> pass_costs_us = {};
    double predicted_us = 0;  // for the chosen schedule

    friend bool operator==(const SearchFigures &, const SearchFigures &) = default;
};

struct PhaseTime {
    std::string name = {};
    double seconds = 0;

    friend bool operator==(const PhaseTime &, const PhaseTime &) = default;
};

struct AblationRow {
    std::string app = {};
    std::string configuration = {};
    std::string size = {};
    std::string gpu = {};         // as the user gave it: a preset or a file
    std::string parameters = {};  // the plugin's: "memo=on:sampling=off:freeze=off"
    // Hash of what the names above stand for: the size's parameters, the GPU, and what is in the
    // files that parameters name.
    std::string inputs = {};
    double timeout_s = 0;         // for the generator, and for the search in it
    int64_t measured_unix_s = 0;  // when the measurement began
    std::optional<RowFailure> failure = {};
    std::optional<std::string> reproduce = {};  // a shell command
    std::vector<double> search_s = {};          // one per repeat, the search alone
    std::vector<PhaseTime> phases = {};         // of the first repeat
    std::optional<double> peak_mb = {};  // resident memory of the process up to the schedule, MiB
    std::optional<SearchFigures> search = {};  // present unless it failed

    bool ok() const { return !failure; }
    // Returns true if the search made all its passes.
    bool completed() const { return search && search->stop_reason == "completed"; }
    // Returns true if Halide took what the search had found: else its predicted time is of a
    // schedule that the search has not made.
    bool took_the_searchs() const { return search && search->chosen == "search"; }

    friend bool operator==(const AblationRow &, const AblationRow &) = default;
};

}  // namespace autoschedule_gpu
