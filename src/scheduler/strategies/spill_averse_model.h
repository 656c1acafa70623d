// A model to which spills are worse than anything else: for searches that are made because what was
// found before spills.
#pragma once

#include <memory>

#include "scheduler/model/cost_model.h"

namespace autoschedule_gpu {

// What another model says of kernels that spill nothing, and of others so many times more as they
// spill values.
class SpillAverseModel final : public CostModel {
public:
    explicit SpillAverseModel(std::unique_ptr<const CostModel> of) : of_(std::move(of)) {}

    std::string_view name() const override { return of_->name(); }
    void estimate(ArrayView<const FeatureTable> tables, ArrayView<double> costs) const override;

private:
    std::unique_ptr<const CostModel> of_;
};

}  // namespace autoschedule_gpu
