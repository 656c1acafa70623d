// The network (scheduler/model/network.h) once more, in doubles and plain loops, from its
// description.
#pragma once

#include <vector>

#include "core/gpu/gpu_model.h"
#include "scheduler/features/feature_list.h"
#include "scheduler/model/network.h"

namespace autoschedule_gpu::example {

class NetworkReference {
public:
    explicit NetworkReference(const Network &network);

    // In nanoseconds, of each stage of a kernel on the device.
    std::vector<double> row_costs(const GpuModel &gpu, const FeatureTable &table) const;
    // Of each cost term, for one stage.
    std::vector<double> coefficients(const FeatureTable &table, size_t row) const;

    std::vector<double> parameters;

private:
    std::vector<double> layer(const char *weights, const char *bias,
                              const std::vector<double> &inputs) const;

    Normalisation normalisation_;
};

}  // namespace autoschedule_gpu::example
