// The verdict on a cost model as tables.
#pragma once

#include <string>
#include <vector>

#include "compare/judged/rank_quality.h"
#include "present/table.h"

namespace autoschedule_gpu {

// Rank quality per application, predicted over simulated by resource, and the kernels of which the
// prediction is off most.
std::vector<Table> judgement_tables(const std::vector<JudgedSchedule> &schedules);

// "pairs 29 pairwise 0.931 regret 0.044"
std::string judgement_line(const std::vector<JudgedSchedule> &schedules);

}  // namespace autoschedule_gpu
