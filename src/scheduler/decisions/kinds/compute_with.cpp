#include "scheduler/decisions/kinds/compute_with.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "scheduler/features/feature_extractor.h"
#include "scheduler/features/launch_limits.h"
#include "scheduler/nest/launch.h"

namespace autoschedule_gpu {

namespace {

bool is_first(const Kernel &kernel) {
    return kernel.with == kernel.stage;
}

// Whether others are computed in the launch of that kernel.
bool has_others(const Nest &nest, const Kernel &kernel) {
    return std::ranges::any_of(nest.kernels, [&](const KernelPtr &other) {
        return other->with == kernel.stage && other->stage != kernel.stage;
    });
}

// The kernel of a stage at root on the device; null if it is no such.
const KernelPtr *device_kernel(const Nest &nest, StageId stage) {
    const auto found = std::ranges::find(nest.kernels, stage,
                                         [](const KernelPtr &kernel) { return kernel->stage; });
    return found == nest.kernels.end() || (*found)->on_host ? nullptr : &*found;
}

// `nest` with the kernel in the launch of the first.
Nest together(Nest nest, StageId first, StageId other) {
    for (KernelPtr &kernel : nest.kernels) {
        if (kernel->stage == first || kernel->stage == other) kernel = in_launch_of(kernel, first);
    }
    return nest;
}

// Why a kernel with a launch of its own can't be computed in that of another.
std::optional<std::string> why_not(const Dag &dag, const Nest &nest, const Kernel &first,
                                   const Kernel &other) {
    if (first.with.valid() && !is_first(first)) return "that has no launch of its own";
    if (has_others(nest, other)) return "others are computed in its own launch";
    if (other.stage < first.stage) return "a launch is that of its first stage";
    if (auto why = why_not_with(dag, first, other)) return why;
    return why_out_of_order(dag, together(nest, first.stage, other.stage));
}

std::vector<KernelPtr> kernels_in_launch(const Nest &nest, StageId first) {
    std::vector<KernelPtr> kernels;
    std::ranges::copy_if(nest.kernels, std::back_inserter(kernels),
                         [&](const KernelPtr &kernel) { return kernel->with == first; });
    std::ranges::sort(kernels, {}, &Kernel::stage);
    return kernels;
}

}  // namespace

void read_compute_with(const StepReader &reader, StageId stage, std::vector<Coordinate> &list) {
    const Kernel &kernel = *reader.kernel_of(stage);
    if (kernel.on_host || why_alone_in_launch(reader.dag(), kernel)) return;
    const StageId with = kernel.with.valid() ? kernel.with : stage;
    Nest apart = reader.state.nest;
    if (with != stage) {
        for (KernelPtr &other : apart.kernels) {
            if (other->stage == stage) other = in_launch_of(other, StageId());
        }
    }
    std::set<StageId> choices{stage, with};
    for (const KernelPtr &first : apart.kernels) {
        const KernelPtr both[] = {first, reader.kernel_of(stage)};
        const int64_t most = reader.space.gpu().max_threads_per_block;
        if (first->on_host || threads_together(both) > most) continue;
        if (why_not(reader.dag(), apart, *first, kernel)) continue;
        choices.insert(first->stage);
    }
    Coordinate decision{
        reader.names.stage(stage), decision_kind::compute_with, reader.names.stage(with), {}};
    for (const StageId first : choices) {
        decision.choices.emplace_back(reader.names.stage(first));
    }
    if (decision.choices.size() > 1) list.push_back(std::move(decision));
}

std::variant<State, RefusedStep> after_launches(const ListedSteps &steps, State state) {
    const Dag &dag = steps.dag();
    const Names names(dag);
    std::optional<FeatureExtractor> features;
    for (size_t s = 0; s < dag.stages.size(); ++s) {
        const ResolvedList::Index coordinate = steps.resolved.compute_with(StageId(s));
        if (!coordinate) continue;
        const std::string &wanted = *steps.text(coordinate);
        const std::optional<StageId> first = names.find_stage(wanted);
        if (!first) return RefusedStep{coordinate, "the pipeline has no such stage"};
        const KernelPtr *kernel = device_kernel(state.nest, StageId(s));
        const KernelPtr *with = device_kernel(state.nest, *first);
        if (kernel == nullptr || with == nullptr || kernel == with) continue;
        if (const auto why = why_not(dag, state.nest, **with, **kernel)) {
            return RefusedStep{coordinate, *why};
        }
        state.nest = together(std::move(state.nest), *first, StageId(s));
        if (!features) features.emplace(dag, steps.space.gpu());
        const std::vector<KernelPtr> launch = kernels_in_launch(state.nest, *first);
        const FeatureTable table = features->extract(launch);
        if (auto why = why_too_large_together(steps.space.gpu(), launch, table)) {
            return RefusedStep{coordinate, *std::move(why)};
        }
        state.id = state.nest.hash();
    }
    return state;
}

}  // namespace autoschedule_gpu
