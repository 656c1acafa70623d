#include "scheduler/strategies/ranking_models.h"

#include "scheduler/model/make_cost_model.h"

namespace autoschedule_gpu {

RankingModels::RankingModels(const GpuModel &device, const ModelChoice &choice)
    : gpu(device),
      model(make_cost_model(choice, gpu)),
      merging(make_merging_model(choice, gpu)),
      draft_merging(make_merging_model({ModelKind::analytical, nullptr}, gpu)),
      draft_tiling(make_cost_model({ModelKind::analytical, nullptr}, gpu)) {}

}  // namespace autoschedule_gpu
