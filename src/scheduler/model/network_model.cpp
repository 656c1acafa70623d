#include "scheduler/model/network_model.h"

namespace autoschedule_gpu {

void NetworkModel::estimate(ArrayView<const FeatureTable> tables, ArrayView<double> costs) const {
    NetworkInputs inputs(gpu_);
    size_t rows = 0;
    for (const FeatureTable &table : tables) rows += table.stages.size();
    inputs.reserve(rows);
    for (const FeatureTable &table : tables) inputs.append(table);

    std::vector<float> row_costs(rows);
    network_.forward(inputs, row_costs, nullptr);
    size_t row = 0;
    for (size_t i = 0; i < tables.size(); ++i) {
        costs[i] = 0;
        for (size_t s = 0; s < tables[i].stages.size(); ++s) costs[i] += row_costs[row++];
    }
}

}  // namespace autoschedule_gpu
