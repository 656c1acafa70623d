// What a kernel costs (contract 4 of DESIGN). The search knows only this interface.
//
// A model is immutable and may be asked from any number of threads. Kernels of a pipeline run one
// after the other, so the cost of a schedule is the sum over its kernels.
#pragma once

#include <span>
#include <string_view>

#include "features/feature_list.h"

namespace autoschedule_gpu {

class CostModel {
public:
    virtual ~CostModel() = default;

    virtual std::string_view name() const = 0;

    // Nanoseconds per run of each kernel, in the order of the tables; costs.size() ==
    // tables.size(). Always positive and finite.
    virtual void estimate(std::span<const FeatureTable> tables, std::span<double> costs) const = 0;
};

}  // namespace autoschedule_gpu
