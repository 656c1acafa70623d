// A device and the models that rank schedules for it.
#pragma once

#include <cstdint>
#include <memory>

#include "core/gpu/gpu_model.h"
#include "scheduler/model/cost_model.h"
#include "scheduler/model/model_choice.h"
#include "scheduler/search/greedy_grouping.h"

namespace autoschedule_gpu {

struct RankingModels {
    RankingModels(const GpuModel &device, const ModelChoice &choice);

    // For a device with so many registers per thread.
    RankingModels with_registers(int64_t registers, const ModelChoice &choice) const;
    // To which spills are worse than anything else (spill_averse_model.h).
    RankingModels averse_to_spills() &&;

    // Those of greedy grouping alone, and of the draft that a search starts from: the latter are
    // always the analytical ones of its paper.
    GroupingModels grouping() const { return {*merging, *model}; }
    GroupingModels draft() const { return {*draft_merging, *draft_tiling}; }

    GpuModel gpu;
    std::unique_ptr<const CostModel> model;  // by which states are chosen
    std::unique_ptr<const CostModel> merging, draft_merging, draft_tiling;
};

}  // namespace autoschedule_gpu
