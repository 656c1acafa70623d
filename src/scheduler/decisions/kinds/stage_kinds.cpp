#include "scheduler/decisions/kinds/stage_kinds.h"

#include "scheduler/decisions/kinds/unroll.h"

namespace autoschedule_gpu {

StageKinds stage_kinds() {
    return {std::make_shared<const UnrollKind>()};
}

}  // namespace autoschedule_gpu
