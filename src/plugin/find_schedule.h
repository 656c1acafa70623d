// From a pipeline as data to a schedule that Halide accepts: the search, and what is tried next
// where Halide refuses what it found or the compiler spills.
#pragma once

#include <Halide.h>

#include <memory>
#include <optional>
#include <vector>

#include "dag/dag.h"
#include "gpu/gpu_model.h"
#include "model/cost_model.h"
#include "model/model_choice.h"
#include "plugin/parameters.h"
#include "plugin/spill_check.h"
#include "plugin/trials.h"
#include "search/search.h"
#include "space/rules.h"
#include "support/error.h"

namespace autoschedule_gpu {

struct ScheduleTask {
    const Halide::Pipeline &pipeline;
    const Halide::Target &target;
    const Parameters &parameters;
    const GpuModel &gpu;
    const ModelChoice &model;
    const RuleSet &rules;
    const SpillCheck &spill_check;
    const Dag &dag;  // of the pipeline, as it was read
};

struct FoundSchedule {
    Accepted accepted;
    std::optional<Found> found;              // the state that it was made of; none: it was given
    std::vector<RefusedTrial> refused;       // before it
    std::optional<SearchReport> search;      // none: nothing was searched for
    std::unique_ptr<const CostModel> model;  // that ranked the states; null: there were none
};

// The best schedule that Halide accepts. Should the search's own be refused (all such cases are in
// the result), the next ones are tried; then a search in a smaller space; then, with everything at
// root, the plain schedule; at last one that stays on the host. The strategy "plain" searches
// nothing. An error if Halide refuses the last, too.
Result<FoundSchedule> find_schedule(const ScheduleTask &task);

}  // namespace autoschedule_gpu
