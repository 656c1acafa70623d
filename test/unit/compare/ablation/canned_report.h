// A report of the plugin as far as an ablation reads it, with invented figures.
#pragma once

#include "core/json/json.h"

namespace autoschedule_gpu::ablation_sample {

inline Json report() {
    return Json::parse(R"({
        "format": "autoschedule_gpu.report", "version": 1, "target": "host-cuda",
        "search": {"stop_reason": "completed", "steps": 20, "passes": 5,
                   "states_enumerated": 4000, "states_rejected": 3000, "states_scored": 1000,
                   "share_scored": 0.25, "kernels_asked": 2000, "kernels_evaluated": 500,
                   "sampling": true, "freeze": true, "funcs_frozen": 3, "memo": true,
                   "memo_hits": 1500, "memo_hit_rate": 0.75, "memo_evicted": 0,
                   "pass_costs_us": [60, 50], "seconds": 2.0,
                   "phase_seconds": {"freeze": 0.5, "evaluate": 1.5}, "rejections": {}},
        "chosen": "search", "predicted_us": 50.0, "total_seconds": 3.0})");
}

}  // namespace autoschedule_gpu::ablation_sample
