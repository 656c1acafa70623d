#include "scheduler/decisions/kinds/stage_kinds.h"

#include "scheduler/decisions/kinds/steps.h"
#include "scheduler/decisions/kinds/unroll.h"
#include "scheduler/decisions/kinds/vectors.h"

namespace autoschedule_gpu {

StageKinds stage_kinds() {
    return {std::make_shared<const UnrollKind>(), std::make_shared<const StepsKind>(),
            std::make_shared<const VectorsKind>()};
}

}  // namespace autoschedule_gpu
