#include "space/atomics.h"

#include <algorithm>
#include <bit>

namespace autoschedule_gpu {

namespace {

int64_t floor_power_of_two(int64_t value) {
    return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(value)));
}

void share_reduction(const Dag &dag, KernelDraft &draft, StageId id) {
    const Band &band = *find_threads(draft.kernel(), id);
    const std::vector<int64_t> busy = band.trips, whole = band.body.back()->trips;
    std::vector<int64_t> reduced(whole.size(), 1);
    for (size_t i = 0; i < whole.size(); ++i) {
        if (!dag.stage(id).loops[i].parallel) reduced[i] = whole[i];
    }
    const std::vector<int> loops = choose_axes(dag, id, reduced);
    if (loops.empty() || band.axes.size() >= 3) return;
    const auto loop = static_cast<size_t>(loops[0]);
    const int64_t block = block_size(draft.kernel()).total();
    const int64_t idle = block / thread_extents(band).total();
    for (int64_t n = floor_power_of_two(std::min(idle, whole[loop])); n > 1; n /= 2) {
        std::vector<int64_t> threads = busy, serial = whole;
        threads[loop] = n;
        serial[loop] = (whole[loop] + n - 1) / n;
        draft.resplit_in_block(dag, id, std::move(threads), std::move(serial));
        if (block_size(draft.kernel()).total() <= block) return;
    }
    draft.resplit_in_block(dag, id, busy, whole);
}

}  // namespace

bool allows_atomics(const Dag &dag, const RuleSet &rules, StageId id, RuleCounts &counts) {
    const Stage &stage = dag.stage(id);
    if (stage.atomics == Atomics::no || stage.predicate_reads) return false;
    if (stage.atomics == Atomics::rounding && rules.has(Rule::inexact_atomics)) {
        count(counts, Rule::inexact_atomics);
        return false;
    }
    return true;
}

bool allows_atomics_at_root(const Dag &dag, const GpuModel &gpu, const RuleSet &rules, StageId id,
                            RuleCounts &counts) {
    if (!allows_atomics(dag, rules, id, counts)) return false;
    const Stage &stage = dag.stage(id);
    if (std::none_of(stage.loops.begin(), stage.loops.end(), may_be_shared)) return false;
    const Func &func = dag.func(stage.func);
    int64_t independent = 1;
    for (const Loop &loop : stage.loops) {
        if (!loop.parallel) continue;
        independent *= loop.dim >= 0 ? func.dims[loop.dim].estimate.extent() : loop.range.extent();
    }
    const int64_t lanes = gpu.sm_count * gpu.max_threads_per_sm;
    if (rules.has(Rule::ample_parallelism) && independent >= lanes) {
        count(counts, Rule::ample_parallelism);
        return false;
    }
    return true;
}

void share_reductions(const Dag &dag, const RuleSet &rules, KernelDraft &draft, FuncId func) {
    RuleCounts unused{};
    for (StageId stage : dag.func(func).stages) {
        if (allows_atomics(dag, rules, stage, unused)) share_reduction(dag, draft, stage);
    }
}

}  // namespace autoschedule_gpu
