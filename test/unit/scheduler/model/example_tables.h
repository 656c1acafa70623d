// Feature tables to try cost models on.
#pragma once

#include <string_view>
#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "scheduler/features/feature_list.h"

namespace autoschedule_gpu::example {

// An A100.
const GpuModel &gpu();

// Of one kernel of a nest, given as text.
FeatureTable table_of(const Dag &dag, std::string_view text, size_t kernel = 0);

// Kernels of several kinds: bound by DRAM, by shared memory, by arithmetic, by latency.
std::vector<FeatureTable> tables_of_all_kinds();

// Every feature drawn from 0 to `most`, as likely small as large, and now and then 0.
FeatureTable random_table(uint64_t seed, size_t stages, double most);

}  // namespace autoschedule_gpu::example
