// The JSON report of one autoscheduling run.
#pragma once

#include <string>
#include <vector>

#include "bridge/apply.h"
#include "model/roofline.h"
#include "plugin/parameters.h"
#include "search/search.h"
#include "support/error.h"

namespace autoschedule_gpu {

// A schedule that was tried on a copy of the pipeline and refused.
struct RefusedTrial {
    std::string kind;  // "search", "no_fusion", "plain", "host"
    std::string error;
    std::string nest;  // its text form
};

struct ReportInput {
    const Dag &dag;
    const GpuModel &gpu;
    std::string target;
    std::map<std::string, std::string> parameters;
    const SearchReport &search;
    const State &chosen;
    std::string chosen_kind;
    const TrialLowering &lowered;
    std::vector<RefusedTrial> refused;
    double total_s = 0;
};

std::string report_json(const ReportInput &input);

// Writes beside `path`, then renames: there is never half a file.
Status write_file(const std::string &path, const std::string &text);

}  // namespace autoschedule_gpu
