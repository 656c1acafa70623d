// What a kind of decision beside places and tilings has chosen for a stage of a kernel. The kinds
// that come with the scheduler keep theirs in fields of a Band; a kernel keeps those of users'
// libraries.
#pragma once

#include <cstdint>
#include <memory>

#include "autoschedule_gpu/decision.h"
#include "core/dag/dag.h"

namespace autoschedule_gpu {

class StageKind;  // scheduler/schedule/stage_kind.h

using api::DecisionValue;

struct StageSetting {
    StageId stage;
    std::shared_ptr<const StageKind> kind;
    DecisionValue value;
    uint64_t hash = 0;  // of the kind's name, the stage and the value
};

}  // namespace autoschedule_gpu
