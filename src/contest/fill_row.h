// From what the steps of a contest say to the fields of a row.
#pragma once

#include <string_view>
#include <vector>

#include "compare/row.h"
#include "contest/bench.h"
#include "measure/launch_report.h"
#include "measure/noise.h"

namespace autoschedule_gpu {

RowFailure row_failure(const Failure &failure);

// Seconds and memory of the generator's process.
void set_generator_figures(const ProbedCandidate &candidate, ComparisonRow &row);

void set_search_time(const std::vector<double> &samples_s, ComparisonRow &row);
void set_run_time(const Timing &timing, ComparisonRow &row);

// What ptxas makes of device code for `model`; nothing if there is no ptxas, no CUDA or no kernel.
Result<std::vector<PtxasKernel>> assemble_kernels(const Ptxas *ptxas, std::string_view device_code,
                                                  const GpuModel &model);

// The launches that the probe counted.
std::vector<Launch> launches_of(const ProbeReport &probe);

// The probe's kernels, each with what `assembled` says of the kernel of that name.
std::vector<RowKernel> row_kernels(const ProbeReport &probe,
                                   const std::vector<PtxasKernel> &assembled,
                                   const GpuModel &model);

}  // namespace autoschedule_gpu
