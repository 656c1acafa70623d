#include "scheduler/decisions/kinds/stage_kinds.h"

#include "scheduler/decisions/kinds/steps.h"
#include "scheduler/decisions/kinds/unroll.h"

namespace autoschedule_gpu {

StageKinds stage_kinds() {
    return {std::make_shared<const UnrollKind>(), std::make_shared<const StepsKind>()};
}

}  // namespace autoschedule_gpu
