#include "scheduler/search/kernel_costs.h"

#include <gtest/gtest.h>

#include <atomic>

#include "core/gpu/gpu_model.h"
#include "scheduler/nest/edit.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu {
namespace {

// A model whose costs tell tables apart, and that counts them.
class CountingModel final : public CostModel {
public:
    std::string_view name() const override { return "counting"; }
    void estimate(ArrayView<const FeatureTable> tables, ArrayView<double> costs) const override {
        ASSERT_EQ(tables.size(), costs.size());
        asked += tables.size();
        for (size_t i = 0; i < tables.size(); ++i) {
            costs[i] = 1e6 * tables[i].kernel.num_blocks + tables[i].kernel.threads_per_block;
        }
    }
    mutable std::atomic<size_t> asked = 0;
};

TEST(ModelCosts, AreTheModelsForEachKernelOnAnyNumberOfThreads) {
    const Dag dag = example::copy(512, 256);
    const GpuModel gpu = find_preset("a100").value();
    std::vector<KernelPtr> kernels;
    for (int64_t x : {16, 32, 64}) {
        for (int64_t y : {1, 2, 4, 8}) {
            kernels.push_back(make_kernel(dag, StageId(0), {{1, x}, {1, y}}));
        }
    }
    kernels.push_back(kernels.front());
    for (int threads : {1, 2, 5, 40}) {
        ThreadPool pool(threads);
        const CountingModel model;
        ModelCosts costs(dag, gpu, model, pool);
        std::vector<double> result(kernels.size());
        costs.compute(kernels, result);
        for (size_t i = 0; i < kernels.size(); ++i) {
            EXPECT_EQ(result[i], 1e6 * static_cast<double>(iterations(*kernels[i]->blocks)) +
                                     static_cast<double>(block_size(*kernels[i]).total()));
        }
        EXPECT_EQ(model.asked, kernels.size());
        EXPECT_EQ(costs.evaluated(), kernels.size());
    }
}

}  // namespace
}  // namespace autoschedule_gpu
