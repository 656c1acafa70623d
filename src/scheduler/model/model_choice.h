// Which model ranks schedules: what the user wants, else what has been measured to rank best on the
// device, else the roofline.
//
//     autoscheduler.model, weights_path ─┐
//     weights in the plugin ─────────────┼─► ModelChoice ─► make_cost_model.h
//     the device ────────────────────────┘
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "autoschedule_gpu/cost_model.h"
#include "core/gpu/gpu_model.h"
#include "core/support/error.h"
#include "scheduler/model/shipped_weights.h"

namespace autoschedule_gpu {

struct Weights;  // weights_file.h

// `added`: one of a user's library.
enum class ModelKind : uint8_t { roofline, analytical, network, added };

struct ModelChoice {
    ModelKind kind = ModelKind::roofline;
    std::shared_ptr<const Weights> weights = nullptr;  // of a network, else null
    api::CostModelMaker maker = {};                    // of one that was added
};

// What ranks best on the device by the report card of the first shipped weights that serve it; of
// models that rank equally well, the one that is named first in ModelKind. The roofline where there
// are no such weights or nothing was measured. An error if a shipped file can't be read.
Result<ModelChoice> default_model(const GpuModel &gpu, std::span<const ShippedFile> shipped);

// `name` is "auto", "roofline", "analytical", "network" or that of one in `added`; `weights_path`
// may be empty. A path makes "auto" the network. Errors: a path for a model without weights; no
// weights for a network; weights that can't be read, or that are another device's.
Result<ModelChoice> choose_model(std::string_view name, const std::string &weights_path,
                                 const GpuModel &gpu, std::span<const ShippedFile> shipped,
                                 std::span<const api::CostModelMaker> added = {});

}  // namespace autoschedule_gpu
