#include "scheduler/space/atomics.h"

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

bool any_atomic(const Tiling &tiling) {
    return std::ranges::any_of(tiling, &LoopTile::atomic);
}

// `shared`: a tiling at root, whose loops that may be shared are atomic; empty in a block.
bool allows_atomics(const Dag &dag, const GpuModel &gpu, const RuleBook &rules, StageId id,
                    const Tiling &shared, RuleCounts &counts) {
    const Stage &stage = dag.stage(id);
    if (stage.atomics == Atomics::no || stage.predicate_reads) return false;
    const auto no = rules.rejection({.dag = dag, .gpu = gpu, .stage = id, .tiling = shared},
                                    TilingCandidate::Asked::sharing);
    if (no) counts.count(no->rule);
    return !no;
}

}  // namespace

bool allows_atomics_at_root(const Dag &dag, const GpuModel &gpu, const RuleBook &rules, StageId id,
                            RuleCounts &counts) {
    Tiling shared;
    for (const Loop &loop : dag.stage(id).loops) shared.push_back({1, 1, may_be_shared(loop)});
    return allows_atomics(dag, gpu, rules, id, shared, counts) && any_atomic(shared);
}

void share_reductions(const Dag &dag, const GpuModel &gpu, const RuleBook &rules,
                      KernelDraft &draft, FuncId func) {
    RuleCounts unused;
    for (StageId stage : dag.func(func).stages) {
        if (allows_atomics(dag, gpu, rules, stage, {}, unused)) share_reduction(dag, draft, stage);
    }
}

}  // namespace autoschedule_gpu
