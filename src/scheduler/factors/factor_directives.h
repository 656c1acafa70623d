// What takes reductions apart, as directives: the beginning of a schedule (schedule/factors.h).
#pragma once

#include <span>

#include "core/dag/dag.h"
#include "scheduler/factors/factoring.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

struct FactoredStage {
    StageId stage;
    Factoring factoring;  // not none
};

// `dag`: the pipeline as it was read. Funcs that are made get the numbers behind those of all
// Funcs.
Schedule factor_directives(const Dag &dag, std::span<const FactoredStage> stages);

}  // namespace autoschedule_gpu
