// Features of the group "atomic": reductions whose iterations meet in atomic operations.
#include <algorithm>

#include "features/thread_view.h"

namespace autoschedule_gpu {

// Without knowledge of the data, the elements that an index may name are named equally often.
void FeatureExtractor::add_atomics(const Band &inner, StageFeatures &row) const {
    const Stage &stage = dag_.stage(inner.stage);
    row.atomics_per_thread = row.points_computed_per_thread;
    if (homes_[stage.func.index()] != Home::global) return;
    row.num_global_atomics_per_block = row.num_global_mem_stores_per_block;
    const Func &func = dag_.func(stage.func);
    double elements = 1;
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        bool moves = false;
        for (size_t d = 0; d < stage.store.dims(); ++d) {
            moves |= stage.store.at(d, i).known && stage.store.at(d, i).value != 0;
        }
        const Loop &loop = stage.loops[i];
        const Interval range = loop.dim >= 0 ? func.dims[loop.dim].estimate : loop.range;
        if (moves) elements *= static_cast<double>(range.extent());
    }
    for (size_t d = 0; d < stage.store.dims(); ++d) {
        bool data_dependent = false;
        for (size_t i = 0; i < stage.loops.size(); ++i) {
            data_dependent |= !stage.store.at(d, i).known;
        }
        if (data_dependent) elements *= static_cast<double>(func.dims[d].estimate.extent());
    }
    row.atomics_per_element = row.num_scalars / std::max(1.0, elements);
}

}  // namespace autoschedule_gpu
