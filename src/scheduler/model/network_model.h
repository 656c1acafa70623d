// The learned model (network.h) for one device, as a cost model of the search.
#pragma once

#include "scheduler/model/cost_model.h"
#include "scheduler/model/network.h"

namespace autoschedule_gpu {

class NetworkModel final : public CostModel {
public:
    NetworkModel(Network network, const GpuModel &gpu) : network_(std::move(network)), gpu_(gpu) {}

    std::string_view name() const override { return "network"; }

    // What a kernel costs does not depend on the kernels around it, bit for bit (network.h).
    void estimate(ArrayView<const FeatureTable> tables, ArrayView<double> costs) const override;

private:
    Network network_;
    GpuModel gpu_;
};

}  // namespace autoschedule_gpu
