#include <algorithm>
#include <vector>

#include "scheduler/features/feature_groups.h"
#include "scheduler/features/lane_access.h"
#include "scheduler/features/stored_extent.h"

namespace autoschedule_gpu {

namespace {

// Returns how many elements a stage may store to. Without knowledge of the data, the elements that
// an index may name are named equally often.
double stored_elements(const Dag &dag, const Stage &stage) {
    const Func &func = dag.func(stage.func);
    std::vector<Interval> ranges;
    for (const Loop &loop : stage.loops) ranges.push_back(estimated_range(dag, stage, loop));
    double elements = 1;
    for (size_t d = 0; d < func.dims.size(); ++d) elements *= stored_extent(stage, func, ranges, d);
    return elements;
}

Added added_by(const Func &func) {
    if (func.values.empty()) return Added::not_known;
    const bool floats = func.values[0].code == ScalarType::Code::floating;
    return floats ? Added::floats : Added::integers;
}

}  // namespace

void add_atomics(const KernelFacts &facts, ExtractionScratch &scratch, FeatureTable &table) {
    for (size_t i = 0; i < facts.stages.size(); ++i) {
        const StageFacts &stage = facts.stages[i];
        if (!stage.is_atomic()) continue;
        StageFeatures &row = table.stages[i];
        row.atomics_per_thread = stage.points_per_thread;
        row.added = added_by(facts.dag.func(stage.func));
        if (facts.memory_of(stage.func) != MemoryKind::global) continue;
        row.num_global_atomics_per_block =
            global_traffic(facts, stage, Direction::store, scratch.accesses()).sectors;
        const double elements = stored_elements(facts.dag, facts.dag.stage(stage.stage));
        row.atomics_per_element = stage.points / std::max(1.0, elements);
    }
}

}  // namespace autoschedule_gpu
