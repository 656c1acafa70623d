#include "search/kernel_costs.h"

#include <gtest/gtest.h>

#include <atomic>

#include "gpu/gpu_model.h"
#include "nest/edit.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu {
namespace {

// A model whose costs tell tables apart, and that counts them.
class Counting final : public CostModel {
public:
    std::string_view name() const override { return "counting"; }
    void estimate(std::span<const FeatureTable> tables, std::span<double> costs) const override {
        ASSERT_EQ(tables.size(), costs.size());
        asked += tables.size();
        for (size_t i = 0; i < tables.size(); ++i) {
            costs[i] = 1e6 * tables[i].kernel.num_blocks + tables[i].kernel.threads_per_block;
        }
    }
    mutable std::atomic<size_t> asked = 0;
};

class Costs : public testing::Test {
protected:
    Costs() {
        for (int64_t x : {16, 32, 64}) {
            for (int64_t y : {1, 2, 4, 8}) {
                kernels_.push_back(make_kernel(dag_, StageId(0), {{1, x}, {1, y}}));
            }
        }
    }
    const Dag dag_ = example::copy(512, 256);
    const GpuModel gpu_ = find_preset("a100").value();
    std::vector<KernelPtr> kernels_;
};

TEST_F(Costs, AreTheModelsForEachKernelOnAnyNumberOfThreads) {
    for (int threads : {1, 2, 5}) {
        ThreadPool pool(threads);
        const Counting model;
        KernelCosts costs(dag_, gpu_, model, pool);
        costs.compute(kernels_);
        for (const KernelPtr &kernel : kernels_) {
            EXPECT_EQ(costs[*kernel], 1e6 * static_cast<double>(iterations(*kernel->blocks)) +
                                          static_cast<double>(block_size(*kernel).total()));
        }
    }
}

TEST_F(Costs, AreAskedForOncePerKernel) {
    ThreadPool pool(2);
    const Counting model;
    KernelCosts costs(dag_, gpu_, model, pool);
    std::vector<KernelPtr> twice = kernels_;
    twice.insert(twice.end(), kernels_.begin(), kernels_.end());
    costs.compute(twice);
    EXPECT_EQ(model.asked, kernels_.size());
    // The same kernel, built anew, and marked as provisional.
    costs.compute(std::vector<KernelPtr>{
        with_provisional(make_kernel(dag_, StageId(0), {{1, 16}, {1, 1}}), true)});
    EXPECT_EQ(model.asked, kernels_.size());
    EXPECT_EQ(costs.asked(), 2 * kernels_.size() + 1);
    EXPECT_EQ(costs.evaluated(), kernels_.size());
    costs.compute({});
    EXPECT_EQ(costs.asked(), 2 * kernels_.size() + 1);
}

}  // namespace
}  // namespace autoschedule_gpu
