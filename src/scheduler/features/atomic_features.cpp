#include <algorithm>

#include "scheduler/features/feature_groups.h"
#include "scheduler/features/lane_access.h"

namespace autoschedule_gpu {

namespace {

// Returns how many elements a stage may store to. Without knowledge of the data, the elements that
// an index may name are named equally often.
double stored_elements(const Dag &dag, const Stage &stage) {
    const Func &func = dag.func(stage.func);
    double elements = 1;
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        bool moves = false;
        for (size_t d = 0; d < stage.store.dims(); ++d) {
            moves |= stage.store.at(d, i).known && stage.store.at(d, i).value != 0;
        }
        const Interval &range = estimated_range(dag, stage, stage.loops[i]);
        if (moves) elements *= static_cast<double>(range.extent());
    }
    for (size_t d = 0; d < stage.store.dims(); ++d) {
        bool data_dependent = false;
        for (size_t i = 0; i < stage.loops.size(); ++i) {
            data_dependent |= !stage.store.at(d, i).known;
        }
        if (data_dependent) elements *= static_cast<double>(func.dims[d].estimate.extent());
    }
    return elements;
}

}  // namespace

void add_atomics(const KernelFacts &facts, ExtractionScratch &scratch, FeatureTable &table) {
    for (size_t i = 0; i < facts.stages.size(); ++i) {
        const StageFacts &stage = facts.stages[i];
        if (!stage.is_atomic()) continue;
        StageFeatures &row = table.stages[i];
        row.atomics_per_thread = stage.points_per_thread;
        if (facts.memory_of(stage.func) != MemoryKind::global) continue;
        row.num_global_atomics_per_block =
            global_traffic(facts, stage, Direction::store, scratch.accesses()).sectors;
        const double elements = stored_elements(facts.dag, facts.dag.stage(stage.stage));
        row.atomics_per_element = stage.points / std::max(1.0, elements);
    }
}

}  // namespace autoschedule_gpu
