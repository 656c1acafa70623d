// From what the steps of a contest say to the fields of a row.
#pragma once

#include <vector>

#include "compare/row.h"
#include "contest/bench.h"
#include "gpu/gpu_model.h"
#include "measure/kernel_figures.h"
#include "measure/launch_report.h"
#include "measure/noise.h"

namespace autoschedule_gpu {

RowFailure row_failure(const Failure &failure);

// Seconds and memory of the generator's process.
void set_generator_figures(const ProbedCandidate &candidate, ComparisonRow &row);

void set_search_time(const std::vector<double> &samples_s, ComparisonRow &row);
void set_run_time(const Timing &timing, ComparisonRow &row);

// The launches that the probe counted.
std::vector<Launch> launches_of(const ProbeReport &probe);

RowRoofs row_roofs(const GpuModel &model);

// The probe's kernels, each with what `figures` says of it, and its predicted time where they do;
// these were made with launches_of(probe).
std::vector<RowKernel> row_kernels(const ProbeReport &probe,
                                   const std::vector<KernelFigures> &figures,
                                   const GpuModel &model);

}  // namespace autoschedule_gpu
