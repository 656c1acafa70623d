#include "plugin/settle.h"

#include <optional>
#include <utility>

#include "bridge/target_api.h"
#include "gpu/resolve.h"
#include "model/shipped_weights.h"

namespace autoschedule_gpu {
namespace {

// In less time a beam search of a pipeline of some size is not half done.
constexpr double kLeastBeamSearchS = 1;

Result<TargetHints> target_hints(const Halide::Target &target) {
    if (const std::optional<GpuApi> api = gpu_api(target)) {
        const int capability = api == GpuApi::cuda ? target.get_cuda_capability_lower_bound() : 0;
        return TargetHints{*api, capability > 30 ? capability : 0};
    }
    return Error{"the target " + target.to_string() +
                 " has no GPU API, so there is nothing to schedule for. Add one to it, for example "
                 "target=host-cuda or target=host-opencl."};
}

Status set_limits(const Parameters &parameters, GpuModel &gpu) {
    struct Limit {
        std::string_view name;
        int64_t wanted;
        int64_t unit;
        int64_t &field;
    };
    const Limit limits[] = {
        {"shared_memory_limit_kb", parameters.shared_memory_limit_kb, 1024,
         gpu.shared_bytes_per_block},
        {"shared_memory_sm_limit_kb", parameters.shared_memory_sm_limit_kb, 1024,
         gpu.shared_bytes_per_sm},
        {"active_block_limit", parameters.active_block_limit, 1, gpu.max_blocks_per_sm},
        {"active_warp_limit", parameters.active_warp_limit, 1, gpu.max_warps_per_sm}};
    for (const Limit &limit : limits) {
        if (limit.wanted == 0) continue;
        if (limit.wanted * limit.unit > limit.field) {
            return Error{"autoscheduler." + std::string(limit.name) + " is " +
                         std::to_string(limit.wanted) + ", but the device (" + gpu.name +
                         ") allows " + std::to_string(limit.field / limit.unit) + " at most."};
        }
        limit.field = limit.wanted * limit.unit;
    }
    return Ok{};
}

}  // namespace

Result<GpuModel> settle_gpu(const Parameters &parameters, const Halide::Target &target) {
    const Result<TargetHints> hints = target_hints(target);
    if (!hints) return hints.error();
    Result<GpuModel> resolved = resolve_gpu_model(parameters.gpu, *hints);
    if (!resolved) return Error{"autoscheduler.gpu: " + resolved.error().message};
    GpuModel gpu = std::move(resolved).value();
    if (!has(target, capabilities(gpu.api).runtime_threads)) gpu.runtime_threads = 0;
    if (parameters.parallelism > 0) gpu.sm_count = parameters.parallelism;
    if (Status limited = set_limits(parameters, gpu); !limited) return limited.error();
    if (Status sound = check(gpu); !sound) return sound.error();
    return gpu;
}

bool is_grouping(const Parameters &parameters) {
    if (parameters.strategy == "auto") return parameters.time_limit_s < kLeastBeamSearchS;
    return parameters.strategy == "greedy_grouping";
}

std::string settle_ptxas(const Parameters &parameters) {
    return parameters.ptxas == "auto" && is_grouping(parameters) ? "off" : parameters.ptxas;
}

Result<ModelChoice> settle_model(const Parameters &parameters, const GpuModel &gpu) {
    if (parameters.model == "auto" && parameters.weights_path.empty() && is_grouping(parameters)) {
        return ModelChoice{ModelKind::analytical, nullptr};
    }
    return choose_model(parameters.model, parameters.weights_path, gpu, shipped_weights());
}

}  // namespace autoschedule_gpu
