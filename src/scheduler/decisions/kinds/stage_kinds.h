// The kinds of decisions about single stages that come with the scheduler, in the order in which
// they are decided; a user's come behind them.
#pragma once

#include "scheduler/schedule/stage_kind.h"

namespace autoschedule_gpu {

StageKinds stage_kinds();

}  // namespace autoschedule_gpu
