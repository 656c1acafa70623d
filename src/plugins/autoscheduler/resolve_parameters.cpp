#include "plugins/autoscheduler/resolve_parameters.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/gpu/resolve.h"
#include "core/support/hash.h"
#include "halide/read/target_api.h"
#include "plugins/extensions/added_kinds.h"
#include "plugins/extensions/added_rules.h"
#include "scheduler/decisions/decision_list.h"
#include "scheduler/decisions/kinds/stage_kinds.h"
#include "scheduler/decisions/optional_kinds.h"
#include "scheduler/model/shipped_weights.h"

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

Switch switch_of(const std::string &value) {
    if (value == "on") return Switch::on;
    return value == "off" ? Switch::off : Switch::automatic;
}

Fusion fusion_of(const std::string &value) {
    if (value == "none") return Fusion::none;
    return value == "overlap" ? Fusion::overlap : Fusion::nested;
}

}  // namespace

Result<ResolvedGpu> gpu_of(const Parameters &parameters, const Halide::Target &target) {
    const Result<TargetHints> hints = target_hints(target);
    if (!hints) return hints.error();
    Result<ResolvedGpu> resolved = resolve_gpu(parameters.gpu, *hints);
    if (!resolved) return Error{"autoscheduler.gpu: " + resolved.error().message};
    ResolvedGpu found = std::move(resolved).value();
    GpuModel &gpu = found.model;
    if (!has(target, capabilities(gpu.api).runtime_threads)) gpu.runtime_threads = 0;
    if (parameters.parallelism > 0) gpu.sm_count = parameters.parallelism;
    if (Status limited = set_limits(parameters, gpu); !limited) return limited.error();
    if (Status sound = check(gpu); !sound) return sound.error();
    return found;
}

std::string strategy_of(const Parameters &parameters) {
    if (parameters.strategy != "auto") return parameters.strategy;
    return parameters.time_limit_s < kLeastBeamSearchS ? "greedy_grouping" : "beam";
}

std::string ptxas_of(const Parameters &parameters, const StrategyInfo &strategy) {
    if (parameters.ptxas == "auto" && strategy.pace == Pace::quick) return "off";
    return parameters.ptxas;
}

Result<Extensions> loaded_extensions() {
    TakenNames taken{{},
                     choices_of("model"),
                     choices_of("strategy"),
                     {decision_kind::place, decision_kind::member_tile, decision_kind::reduction,
                      decision_kind::serial, decision_kind::threads, decision_kind::rfactor}};
    const RuleBook rules;
    for (size_t i = 0; i < rules.size(); ++i) taken.rules.push_back(rules[RuleId(i)].name);
    const StageKinds kinds = stage_kinds();
    for (const auto &kind : kinds) taken.decision_kinds.push_back(kind->name());
    return Extensions::of(loaded_libraries(), taken);
}

Result<AddedNames> added_names(const Extensions &extensions) {
    AddedNames names;
    for (const AnyRule &rule : added_rules(extensions.all())) {
        if (const Result<RuleId> id = names.rules.add(rule); !id) return id.error();
    }
    for (const Extension &extension : extensions.all()) {
        for (const auto &maker : extension.added.models) names.models.push_back(maker.name);
        for (const auto &strategy : extension.added.strategies) {
            names.strategies.emplace_back(strategy->name());
        }
    }
    return names;
}

Result<ModelChoice> model_of(const Parameters &parameters, const GpuModel &gpu,
                             const StrategyInfo &strategy,
                             std::span<const api::CostModelMaker> added) {
    const bool is_free = parameters.model == "auto" && parameters.weights_path.empty();
    if (is_free && strategy.own_model) return ModelChoice{*strategy.own_model, nullptr};
    return choose_model(parameters.model, parameters.weights_path, gpu, shipped_weights(), added);
}

StageKinds kinds_of(const Parameters &parameters, const GpuModel &gpu,
                    const Extensions &extensions) {
    StageKinds kinds = stage_kinds();
    std::erase_if(kinds, [&](const auto &kind) {
        return disables_decision(parameters, std::string(kind->name()));
    });
    for (const auto &kind : added_kinds(extensions.all(), gpu)) kinds.push_back(kind);
    return kinds;
}

static std::set<std::string, std::less<>> disabled_decisions(const Parameters &parameters) {
    std::set<std::string, std::less<>> names;
    for (const OptionalKind &kind : optional_kinds()) {
        if (disables_decision(parameters, std::string(kind.name))) names.emplace(kind.name);
    }
    if (!parameters.sizes.empty()) {
        // Where a Func is stored is the same in the schedules for all sizes.
        names.emplace(decision_kind::sliding);
        // Halide takes no specialization with it, and a schedule for several sizes has one for
        // each.
        names.emplace(decision_kind::compute_with);
    }
    return names;
}

SearchOptions search_options_of(const Parameters &parameters) {
    SearchOptions options;
    options.limits.beam_size = static_cast<int>(parameters.beam_size);
    options.limits.num_passes = static_cast<int>(parameters.num_passes);
    options.limits.threads = static_cast<int>(parameters.threads);
    options.limits.time_limit_s = parameters.time_limit_s;
    options.seed = Hasher(parameters.seed).add(parameters.random_dropout_seed).value();
    options.sampling = switch_of(parameters.sampling);
    options.freeze = switch_of(parameters.freeze);
    options.memo = switch_of(parameters.memo);
    options.random_dropout = static_cast<int>(parameters.random_dropout);
    options.fusion = fusion_of(parameters.fusion);
    options.disabled_decisions = disabled_decisions(parameters);
    return options;
}

// Enough for all that is searched for in pipelines of up to a hundred stages, and not more than
// takes most machines ten seconds, if not what reads what is hopelessly entangled. Who grants more
// time than most wants more.
double most_effort(const Dag &dag, const Parameters &parameters) {
    const double stages = 3e6 + 1e4 * static_cast<double>(dag.stages.size());
    return stages * std::max(1.0, parameters.time_limit_s / SearchLimits().time_limit_s);
}

}  // namespace autoschedule_gpu
