// Greedy merging of groups (Sioutas et al. 2020 §4.1): the most beneficial merge first, until none
// is beneficial.
#pragma once

#include "scheduler/search/greedy_grouping.h"
#include "scheduler/search/partition.h"

namespace autoschedule_gpu {

void merge_groups(Partition &partition, Fusion fusion);

}  // namespace autoschedule_gpu
