#include "plugins/autoscheduler/known_kernels.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>

#include "plugins/autoscheduler/chosen_kernels.h"
#include "scheduler/nest/launch.h"
#include "scheduler/nest/written_code.h"
#include "scheduler/schedule/kernel_keys.h"

namespace autoschedule_gpu {
namespace {

KeptRoot kept_root(const Func &func, double seconds) {
    KeptRoot root{func.halide_index, {}, seconds};
    for (const Dimension &dim : func.dims)
        root.dims.push_back({dim.estimate.min, dim.estimate.extent(), dim.constant});
    return root;
}

// What Halide takes at least for the whole where a first trial is one of parts. For less it does
// not pay to lower a sketch of the whole, too.
constexpr double kLeastSecondsForParts = 1;

// Whether what a stage reads only moves with its loops, a whole number of points an iteration.
bool only_moves(const Stage &stage) {
    return stage.period == 1 && std::ranges::all_of(stage.loads, [](const Load &load) {
               return load.access.is_known() && !load.access.divides();
           });
}

// A part does not know where its Funcs begin. Where the coordinates of a kernel only move, that is
// a term of each. Where they are divided, it decides which of them are the same: a kernel of a
// pyramid spills in the whole, and not in a part.
bool parts_speak_for_the_whole(const Dag &dag, const Kernel &kernel) {
    const auto moves = [&](const BandPtr &inner) { return only_moves(dag.stage(inner->stage)); };
    return std::ranges::all_of(
               thread_bands(kernel),
               [&](const Band *threads) { return std::ranges::all_of(threads->body, moves); }) &&
           std::ranges::all_of(kernel.inlined, [&](FuncId func) {
               return only_moves(dag.stage(dag.func(func).stages[0]));
           });
}

// A stage that computes nothing, as one that is `undef` does, has no launch: then others of its
// Func were found.
bool is_found(const Dag &dag, const Kernel &kernel, const TrialLowering &lowered) {
    const int func = dag.func(dag.stage(kernel.stage).func).halide_index;
    return kernel.on_host ||
           std::ranges::find(lowered.kernels, func, &KernelLaunch::func) != lowered.kernels.end();
}

// By the kernels of a launch: one that several share has the name of one of them.
bool is_launch_found(const Dag &dag, const Nest &nest, std::span<const size_t> launch,
                     const TrialLowering &lowered) {
    return std::ranges::any_of(launch,
                               [&](size_t k) { return is_found(dag, *nest.kernels[k], lowered); });
}

bool is_all_ours(const Dag &dag) {
    return std::ranges::none_of(dag.funcs,
                                [](const Func &func) { return func.ours == Func::Ours::nothing; });
}

}  // namespace

std::vector<KernelLaunch> launches_of(const Dag &dag, const Kernel &kernel,
                                      const TrialLowering &lowered) {
    const Stage &stage = dag.stage(kernel.stage);
    const int func = dag.func(stage.func).halide_index;
    std::vector<KernelLaunch> launches;
    std::ranges::copy_if(lowered.kernels, std::back_inserter(launches),
                         [&](const KernelLaunch &launch) {
                             return launch.func == func && launch.stage == stage.index;
                         });
    return launches;
}

void KnownKernels::remember(const CompleteState &candidate, const TrialLowering &lowered) {
    if (!lowered.code_check_error.empty()) return;
    const Dag &dag = *candidate.dag;
    const std::vector<KernelPtr> &kernels = candidate.state.nest.kernels;
    const std::vector<uint64_t> keys = kernel_keys(dag, candidate.state.nest);
    std::map<uint64_t, std::vector<KernelLaunch>> found;
    for (const std::vector<size_t> &launch : launches(candidate.state.nest)) {
        const bool is_there = is_launch_found(dag, candidate.state.nest, launch, lowered);
        if (!is_there && known_.contains(keys[launch.front()])) continue;
        if (!is_there) return;
        for (const size_t k : launch) {
            found.emplace(keys[k], launches_of(dag, *kernels[k], lowered));
        }
    }
    found.merge(known_);
    known_ = std::move(found);
}

std::optional<KnownKernels::Unknown> KnownKernels::unknown(const CompleteState &candidate) const {
    const Dag &dag = *candidate.dag;
    const std::vector<KernelPtr> &kernels = candidate.state.nest.kernels;
    const std::vector<uint64_t> keys = kernel_keys(dag, candidate.state.nest);
    if (!is_all_ours(dag)) return std::nullopt;
    std::map<FuncId, double> roots;  // with the seconds that Halide takes for their kernels
    double seconds_of_all = 0;
    bool some_known = false, parts_tell = true;
    for (size_t k = 0; k < kernels.size(); ++k) {
        if (known_.contains(keys[k])) {
            some_known = true;
            continue;
        }
        if (kernels[k]->with.valid() || !parts_speak_for_the_whole(dag, *kernels[k])) {
            parts_tell = false;
        }
        const double seconds = lowering_seconds(dag, *kernels[k]);
        roots[dag.stage(kernels[k]->stage).func] += seconds;
        seconds_of_all += seconds;
    }
    const bool is_worth_parts = parts_tell && seconds_of_all >= kLeastSecondsForParts;
    if (!some_known && !is_worth_parts) return std::nullopt;
    Unknown result;
    for (const auto &[id, seconds] : roots) {
        result.roots.push_back(kept_root(dag.func(id), seconds));
    }
    result.whole = !some_known ? Whole::sketched : parts_tell ? Whole::left_out : Whole::around;
    return result;
}

std::optional<TrialLowering> KnownKernels::whole(const CompleteState &candidate,
                                                 const TrialLowering &part) const {
    const Dag &dag = *candidate.dag;
    const std::vector<uint64_t> keys = kernel_keys(dag, candidate.state.nest);
    const Nest &nest = candidate.state.nest;
    std::map<const Kernel *, uint64_t> key_of;
    for (size_t k = 0; k < keys.size(); ++k) key_of.emplace(nest.kernels[k].get(), keys[k]);
    std::set<const Kernel *> found;
    for (const std::vector<size_t> &launch : launches(nest)) {
        if (!is_launch_found(dag, nest, launch, part)) continue;
        for (const size_t k : launch) found.insert(nest.kernels[k].get());
    }
    TrialLowering result;
    result.code_check_error = part.code_check_error;
    for (const KernelPtr &kernel : in_launch_order(nest)) {
        const auto known = known_.find(key_of.at(kernel.get()));
        if (known == known_.end() && !found.contains(kernel.get())) return std::nullopt;
        std::vector<KernelLaunch> launches =
            known != known_.end() ? known->second : launches_of(dag, *kernel, part);
        // The same wrapper has another number in another pipeline.
        const int func = dag.func_of(kernel->stage).halide_index;
        for (KernelLaunch &launch : launches) launch.func = func;
        std::ranges::move(launches, std::back_inserter(result.kernels));
    }
    return result;
}

}  // namespace autoschedule_gpu
