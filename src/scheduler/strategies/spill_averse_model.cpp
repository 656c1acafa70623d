#include "scheduler/strategies/spill_averse_model.h"

namespace autoschedule_gpu {

void SpillAverseModel::estimate(ArrayView<const FeatureTable> tables,
                                ArrayView<double> costs) const {
    of_->estimate(tables, costs);
    for (size_t i = 0; i < tables.size(); ++i) costs[i] *= 1 + tables[i].kernel.spills_per_thread;
}

}  // namespace autoschedule_gpu
