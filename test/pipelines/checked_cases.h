// Many pipelines, each checked in isolation: what the tests and `pipeline_fuzz` share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "learn/random_pipelines/random_pipeline.h"
#include "pipelines/isolated.h"
#include "pipelines/pipeline_check.h"

namespace autoschedule_gpu::testing {

struct NamedCase {
    std::string name;
    CaseMaker make;
};

// The random pipelines of seeds [from, to).
std::vector<NamedCase> random_cases(uint64_t from, uint64_t to, bool wide_types = false,
                                    Family family = Family::usual);

// Calls report(case, result, seconds) for every case, in order. The process must have no threads.
void check_cases(const std::vector<NamedCase> &cases, const Scheduler &scheduler,
                 const CheckOptions &options, const IsolatedOptions &isolation,
                 const std::function<void(const NamedCase &, const CheckResult &, double)> &report);

}  // namespace autoschedule_gpu::testing
