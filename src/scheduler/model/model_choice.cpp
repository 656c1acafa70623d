#include "scheduler/model/model_choice.h"

#include <utility>

#include "scheduler/model/weights_file.h"

namespace autoschedule_gpu {

namespace {

using SharedWeights = std::shared_ptr<const Weights>;

bool serve(const Weights &weights, const GpuModel &gpu) {
    return may_name_same_device(weights.origin.gpu, gpu.name);
}

// Null if there are none.
Result<SharedWeights> shipped_for(const GpuModel &gpu, std::span<const ShippedFile> shipped) {
    SharedWeights first;
    for (const ShippedFile &file : shipped) {
        Result<Weights> weights = parse_weights(file.bytes);
        if (!weights) {
            return Error{"the plugin's own " + std::string(file.name) + ": " +
                         weights.error().message};
        }
        if (first || !serve(*weights, gpu)) continue;
        first = std::make_shared<const Weights>(std::move(weights).value());
    }
    return first;
}

Result<ModelChoice> network_of_file(const std::string &path, const GpuModel &gpu) {
    Result<Weights> weights = read_weights(path);
    if (!weights) return Error{"autoscheduler.weights_path: " + weights.error().message};
    if (!serve(*weights, gpu)) {
        return Error{"autoscheduler.weights_path: " + path + ": expected weights for " + gpu.name +
                     ", found some for " + weights->origin.gpu +
                     ". Name a file for this device, or that device in autoscheduler.gpu."};
    }
    return ModelChoice{ModelKind::network,
                       std::make_shared<const Weights>(std::move(weights).value())};
}

Result<ModelChoice> shipped_network(const GpuModel &gpu, std::span<const ShippedFile> shipped) {
    const Result<SharedWeights> weights = shipped_for(gpu, shipped);
    if (!weights) return weights.error();
    if (*weights == nullptr) {
        return Error{"autoscheduler.model=network expected weights, found none for " + gpu.name +
                     " in the plugin. Train some with retrain_cost_model and name the file in "
                     "autoscheduler.weights_path."};
    }
    return ModelChoice{ModelKind::network, *weights};
}

}  // namespace

Result<ModelChoice> default_model(const GpuModel &gpu, std::span<const ShippedFile> shipped) {
    const Result<SharedWeights> weights = shipped_for(gpu, shipped);
    if (!weights) return weights.error();
    if (*weights == nullptr || !(*weights)->card) return ModelChoice{};
    const CardSummary &card = *(*weights)->card;
    if (card.network > card.roofline && card.network > card.analytical) {
        return ModelChoice{ModelKind::network, *weights};
    }
    return ModelChoice{
        card.analytical > card.roofline ? ModelKind::analytical : ModelKind::roofline, nullptr};
}

Result<ModelChoice> choose_model(std::string_view name, const std::string &weights_path,
                                 const GpuModel &gpu, std::span<const ShippedFile> shipped,
                                 std::span<const api::CostModelMaker> added) {
    const bool automatic = name == "auto";
    if (automatic || name == "network") {
        if (!weights_path.empty()) return network_of_file(weights_path, gpu);
        return automatic ? default_model(gpu, shipped) : shipped_network(gpu, shipped);
    }
    if (!weights_path.empty()) {
        return Error{"autoscheduler.weights_path is set to \"" + weights_path +
                     "\", but autoscheduler.model=" + std::string(name) +
                     " has no weights. Leave one of them out."};
    }
    for (const api::CostModelMaker &maker : added) {
        if (maker.name == name) return ModelChoice{ModelKind::added, nullptr, maker};
    }
    return ModelChoice{name == "analytical" ? ModelKind::analytical : ModelKind::roofline, nullptr};
}

}  // namespace autoschedule_gpu
