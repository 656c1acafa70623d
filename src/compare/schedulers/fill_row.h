// Fills the fields of a row with what the steps of a comparison say.
#pragma once

#include <vector>

#include "compare/rows/row.h"
#include "compare/schedulers/scheduler_bench.h"
#include "core/gpu/gpu_model.h"
#include "lab/build/launch_report.h"
#include "lab/ptxas/kernel_figures.h"
#include "lab/run/noise.h"

namespace autoschedule_gpu {

RowFailure row_failure(const Failure &failure);

// Seconds and memory of the generator's process, and why its kernels were not counted.
void set_generator_figures(const ProbedCandidate &candidate, ComparisonRow &row);

void set_search_time(const std::vector<double> &samples_s, ComparisonRow &row);
void set_run_time(const Timing &timing, ComparisonRow &row);

// Returns the launches that the probe counted; else as much of them as their loops say.
std::vector<Launch> launches_of(const ProbeReport &probe);

RowRoofs row_roofs(const GpuModel &model);

// Returns the probe's kernels, each with what `figures` says of it, and its predicted time where
// they do; these were made with launches_of(probe). Where the probe could not count, the kernels
// are those of `figures`.
std::vector<RowKernel> row_kernels(const ProbeReport &probe,
                                   const std::vector<KernelFigures> &figures,
                                   const GpuModel &model);

}  // namespace autoschedule_gpu
