#include "scheduler/strategies/spill_averse_model.h"

#include <gtest/gtest.h>

#include <array>

namespace autoschedule_gpu {
namespace {

class TenEach final : public CostModel {
public:
    std::string_view name() const override { return "ten"; }
    void estimate(ArrayView<const FeatureTable>, ArrayView<double> costs) const override {
        for (double &cost : costs) cost = 10;
    }
};

TEST(SpillAverseModel, MakesKernelsSoManyTimesDearerAsTheySpillValues) {
    const SpillAverseModel model(std::make_unique<TenEach>());
    std::array<FeatureTable, 2> tables;
    tables[1].kernel.spills_per_thread = 3;
    std::array<double, 2> costs{};
    model.estimate(tables, costs);
    EXPECT_EQ(costs[0], 10);
    EXPECT_EQ(costs[1], 40);
    EXPECT_EQ(model.name(), "ten");
}

}  // namespace
}  // namespace autoschedule_gpu
