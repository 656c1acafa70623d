#include "plugin/trials.h"

#include <algorithm>
#include <utility>

#include "bridge/trial_process.h"
#include "nest/check.h"
#include "nest/regions.h"
#include "nest/text.h"
#include "schedule/directives_of_nest.h"

namespace autoschedule_gpu {
namespace {

// Halide takes a minute for pipelines of hundreds of stages.
constexpr double kTrialTimeLimitS = 600;

// Of blocks and shared memory. Those that Halide finds only at run time are fine where the nest
// knows how large they get, and where there is none to ask.
enum class RuntimeSizes : uint8_t { none, any };

RuntimeSizes runtime_sizes(const Dag &dag, const Nest &nest) {
    const bool any = std::ranges::any_of(nest.kernels, [&](const KernelPtr &kernel) {
        return !kernel->on_host && has_runtime_extents(dag, *kernel);
    });
    return any ? RuntimeSizes::any : RuntimeSizes::none;
}

// What Halide made of the schedule must still fit the device.
std::optional<std::string> exceeds(const TrialLowering &lowered, const GpuModel &gpu,
                                   RuntimeSizes allowed) {
    for (const KernelLaunch &kernel : lowered.kernels) {
        int64_t threads = 1;
        bool unknown = kernel.shared_bytes < 0;
        for (int64_t t : kernel.threads) {
            unknown = unknown || t < 0;
            threads *= std::max<int64_t>(1, t);
        }
        const int64_t most[] = {gpu.max_threads_x, gpu.max_threads_y, gpu.max_threads_z};
        for (size_t i = 0; i < std::size(most); ++i) {
            if (kernel.threads[i] <= most[i]) continue;
            return "kernel " + kernel.name + " has " + std::to_string(kernel.threads[i]) +
                   " threads in dimension " + "xyz"[i];
        }
        if (unknown && allowed == RuntimeSizes::none) {
            return "kernel " + kernel.name + " has sizes known only at run time";
        }
        if (threads > gpu.max_threads_per_block) {
            return "kernel " + kernel.name + " has " + std::to_string(threads) +
                   " threads per block";
        }
        if (kernel.shared_bytes > gpu.shared_bytes_per_block) {
            return "kernel " + kernel.name + " uses " + std::to_string(kernel.shared_bytes) +
                   " bytes of shared memory";
        }
    }
    return std::nullopt;
}

}  // namespace

std::string_view to_string(Attempt attempt) {
    static constexpr std::array<std::string_view, 6> kNames = {"search", "no_fusion", "plain",
                                                               "host",   "trace",     "decisions"};
    return kNames[static_cast<size_t>(attempt)];
}

std::optional<AcceptedState> Trials::accept(const Found &found, Attempt attempt) {
    const auto &[dag, state, freedom] = found;
    // On the host everything is on the wrong side of the device, on purpose.
    const std::vector<std::string> problems = attempt == Attempt::host
                                                  ? std::vector<std::string>()
                                                  : check(*dag, state.nest, Completeness::complete);
    if (!problems.empty()) {
        return refuse(found, attempt, "nest check: " + problems[0]);
    }
    Schedule schedule = directives(*dag, state.nest);
    Result<TrialLowering> lowered = lower(schedule);
    if (!lowered) return refuse(found, attempt, lowered.error().message);
    const RuntimeSizes allowed = runtime_sizes(*dag, state.nest);
    if (std::optional<std::string> problem = exceeds(*lowered, gpu_, allowed)) {
        refuse(found, attempt, *problem);
        if (attempt != Attempt::plain && attempt != Attempt::host) return std::nullopt;
    }
    return AcceptedState{found, {attempt, std::move(schedule), std::move(lowered).value()}};
}

Result<Accepted> Trials::accept(Schedule schedule) const {
    Result<TrialLowering> lowered = lower(schedule);
    if (!lowered) return lowered.error();
    if (std::optional<std::string> problem = exceeds(*lowered, gpu_, RuntimeSizes::any)) {
        return Error{*problem + ", more than the device (" + gpu_.name + ") allows"};
    }
    return Accepted{Attempt::trace, std::move(schedule), std::move(lowered).value()};
}

Result<TrialLowering> Trials::lower(const Schedule &schedule) const {
    return trial_lower_apart(schedule, pipeline_, target_, kTrialTimeLimitS,
                             spill_check_.code_check());
}

std::nullopt_t Trials::refuse(const Found &found, Attempt attempt, const std::string &why) {
    refused_.push_back({attempt, why, to_text(*found.dag, found.state.nest)});
    return std::nullopt;
}

}  // namespace autoschedule_gpu
