#include "plugins/autoscheduler/known_kernels.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "plugins/autoscheduler/chosen_kernels.h"
#include "scheduler/nest/launch.h"
#include "scheduler/nest/written_code.h"

namespace autoschedule_gpu {
namespace {

KeptRoot kept_root(const Func &func) {
    KeptRoot root{func.halide_index, {}};
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

// A part does not know where its Funcs begin. Where coordinates only move, that is a term of each.
// Where they are divided, it decides which of them are the same: a kernel of a pyramid spills in
// the whole, and not in a part.
bool parts_speak_for_the_whole(const Dag &dag) {
    return std::ranges::all_of(dag.stages, only_moves);
}

// A stage that computes nothing, as one that is `undef` does, has no launch: then others of its
// Func were found.
bool is_found(const Dag &dag, const Kernel &kernel, const TrialLowering &lowered) {
    const int func = dag.func(dag.stage(kernel.stage).func).halide_index;
    return kernel.on_host ||
           std::ranges::find(lowered.kernels, func, &KernelLaunch::func) != lowered.kernels.end();
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
    std::map<Key, std::vector<KernelLaunch>> found;
    for (const KernelPtr &kernel : candidate.state.nest.kernels) {
        // A launch that kernels share is what it is by all of them.
        if (kernel->with.valid() || is_known(candidate, *kernel)) continue;
        if (!is_found(*candidate.dag, *kernel, lowered)) return;
        found.emplace(Key{candidate.dag.get(), kernel->hash},
                      launches_of(*candidate.dag, *kernel, lowered));
    }
    known_.merge(found);
    dags_.push_back(candidate.dag);
}

std::optional<KnownKernels::Unknown> KnownKernels::unknown(const CompleteState &candidate) const {
    const Dag &dag = *candidate.dag;
    const std::vector<KernelPtr> &kernels = candidate.state.nest.kernels;
    if (!is_all_ours(dag) || shares_launches(candidate.state.nest)) return std::nullopt;
    std::set<FuncId> roots;
    bool some_known = false;
    for (const KernelPtr &kernel : kernels) {
        const bool known = is_known(candidate, *kernel);
        some_known = some_known || known;
        if (!known) roots.insert(dag.stage(kernel->stage).func);
    }
    if (!some_known && (lowering_seconds(dag, candidate.state.nest) < kLeastSecondsForParts ||
                        !parts_speak_for_the_whole(dag))) {
        return std::nullopt;
    }
    Unknown result;
    for (const FuncId id : roots) result.roots.push_back(kept_root(dag.func(id)));
    if (!some_known) result.whole = Whole::sketched;
    return result;
}

std::optional<TrialLowering> KnownKernels::whole(const CompleteState &candidate,
                                                 const TrialLowering &part) const {
    TrialLowering result;
    result.code_check_error = part.code_check_error;
    for (const KernelPtr &kernel : in_launch_order(candidate.state.nest)) {
        const bool known = is_known(candidate, *kernel);
        if (!known && !is_found(*candidate.dag, *kernel, part)) return std::nullopt;
        std::ranges::copy(known ? known_.at({candidate.dag.get(), kernel->hash})
                                : launches_of(*candidate.dag, *kernel, part),
                          std::back_inserter(result.kernels));
    }
    return result;
}

}  // namespace autoschedule_gpu
