#include <algorithm>
#include <bit>

#include "scheduler/features/efficiency.h"
#include "scheduler/features/feature_groups.h"
#include "scheduler/features/joined_elements.h"
#include "scheduler/features/lane_access.h"

namespace autoschedule_gpu {

namespace {

// Returns how many lanes' atomic operations on shared memory wait for each other.
double lanes_per_element(const WarpAccess &warp, int64_t used_bytes) {
    return static_cast<double>(warp.active_lanes * warp.element_bytes) /
           static_cast<double>(std::max<int64_t>(1, used_bytes));
}

// Shared memory adds up integers of 32 bits itself: ATOMS.ADD, and ATOMS.POPC.INC, which counts
// lanes, where they add one; how lanes that meet wait there has not been measured. All else goes
// around a loop in which one lane of an element succeeds at a time (ATOMS.CAST.SPIN; in the machine
// code of Halide's PTX for sm_80 and sm_90).
bool adds_in_a_loop(const ScalarType &value) {
    return value.code == ScalarType::Code::floating || value.bits > 32;
}

SharedAccess access_of(const GpuModel &gpu, const LaneAccess &lanes, bool atomic, bool in_turn,
                       AccessMemo &memo) {
    if (!lanes.gather.any()) return memo.shared(lanes.warp);
    if (!atomic) return gathered_shared(gpu, lanes.warp, lanes.gather);
    SharedAccess access = scattered_shared(gpu, lanes.warp, lanes.gather);
    const double turns = in_turn ? lanes_at_one_element(gpu, lanes.warp, lanes.gather) : 1;
    if (turns > access.transactions) {
        access.efficiency *= access.transactions / turns;
        access.transactions = turns;
    }
    return access;
}

// The shares of an access's elements that are moved 1, 2, 4 at once: by a vector of ours, or joined
// by a compiler.
ElementsByWidth elements_by_width(const KernelFacts &facts, const StageFacts &stage,
                                  const AccessFacts &access, const LaneAccess &lanes, bool atomic) {
    ElementsByWidth shares = {};
    if (access.vector > 1) {
        shares[static_cast<size_t>(std::countr_zero(static_cast<uint64_t>(access.vector)))] = 1;
        return shares;
    }
    const bool may_join = access.count > 0 && !lanes.gather.any() && !atomic &&
                          access.matrix->dims() > 0 && !facts.shared_channels(access.func);
    if (may_join) return joined_elements(facts, stage, access, lanes.warp);
    shares[0] = 1;
    return shares;
}

void add_access(const KernelFacts &facts, const StageFacts &stage, const AccessFacts &access,
                AccessMemo &memo, StageFeatures &row) {
    const bool store = access.direction == Direction::store;
    const bool atomic = store && stage.is_atomic();
    const std::vector<ScalarType> &values = facts.dag.func(access.func).values;
    const bool in_turn = !values.empty() && adds_in_a_loop(values[0]);
    const LaneAccess lanes = lane_access(facts, stage, access);
    const ElementsByWidth shares = elements_by_width(facts, stage, access, lanes, atomic);
    for (size_t i = 0; i < shares.size(); ++i) {
        if (shares[i] == 0) continue;
        const int64_t width = int64_t{1} << i;
        LaneAccess joined = lanes;
        joined.warp.element_bytes *= width;
        const double count = access.count * shares[i] / static_cast<double>(width);
        const SharedAccess shared = access_of(facts.gpu, joined, atomic, in_turn, memo);
        const double times = atomic ? lanes_per_element(joined.warp, shared.used_bytes) : 1;
        const double more = stage.threads->warps * count * shared.transactions * times;
        (store ? row.shared_stores_per_thread : row.shared_loads_per_thread) += count;
        mix(more, shared.efficiency,
            store ? row.num_shared_mem_stores_per_block : row.num_shared_mem_loads_per_block,
            store ? row.shared_mem_store_efficiency : row.shared_mem_load_efficiency);
    }
}

}  // namespace

void add_shared_memory(const KernelFacts &facts, ExtractionScratch &scratch, FeatureTable &table) {
    table.kernel.shared_bytes_per_block = facts.shared_bytes_per_block;
    for (FuncId func : facts.inner_funcs) {
        if (!is_copy(facts.dag, func)) continue;
        table.kernel.staged_bytes_per_block += facts.shared_bytes(func);
    }
    for (size_t i = 0; i < facts.stages.size(); ++i) {
        for (const AccessFacts &access : facts.stages[i].accesses) {
            if (access.memory != MemoryKind::shared) continue;
            add_access(facts, facts.stages[i], access, scratch.accesses(), table.stages[i]);
        }
    }
}

}  // namespace autoschedule_gpu
