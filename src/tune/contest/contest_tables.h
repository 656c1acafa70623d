// A contest as tables.
#pragma once

#include <vector>

#include "present/table.h"
#include "tune/contest/contest_run.h"

namespace autoschedule_gpu {

// Geometric means over the pipelines, with intervals, and which of them are apart.
Table overall_table(const std::vector<ContestRun> &runs);

// Per pipeline and strategy what was verified, and how it is spread over the seeds.
Table verified_table(const std::vector<ContestRun> &runs);

// Who has the least median of the best so far after an eighth, a quarter, a half and all of the
// trials that were made at most, of those that have measured something by then under every seed.
Table leaders_table(const std::vector<ContestRun> &runs);

// How soon strategies are done (Canesche et al. 2024, section 4; Shao et al. 2022, section 6): the
// trials and the time after which they are within 5 % of the best that they find.
Table convergence_table(const std::vector<ContestRun> &runs);

// The modes of Anderson et al. 2021 beside each other: what they gain (figures 6 and 7), and the
// time that they take (table 4). Empty where there is none among the strategies.
Table modes_table(const std::vector<ContestRun> &runs);

// What the model's choice is worth before and after retraining (figure 8 there, section 6.4).
// Empty where no schedule was predicted.
Table predictions_table(const std::vector<ContestRun> &runs);

// Runs that led to nothing, and why. Empty if there are none.
Table failed_table(const std::vector<FailedRun> &failed);

// All of them, without the empty ones.
std::vector<Table> contest_tables(const std::vector<ContestRun> &runs,
                                  const std::vector<FailedRun> &failed);

}  // namespace autoschedule_gpu
