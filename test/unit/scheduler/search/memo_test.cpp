#include "scheduler/search/memo.h"

#include <gtest/gtest.h>

#include "scheduler/nest/edit.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu {
namespace {

// Costs that tell kernels apart, and how many were asked for.
class CountingCosts final : public KernelCosts {
public:
    void compute(std::span<const KernelPtr> kernels, std::span<double> costs) override {
        ASSERT_EQ(kernels.size(), costs.size());
        asked += kernels.size();
        for (size_t i = 0; i < kernels.size(); ++i) {
            costs[i] = static_cast<double>(kernels[i]->hash >> 12);
        }
    }
    size_t asked = 0;
};

class Memo : public testing::Test {
protected:
    Memo() {
        for (int64_t x : {16, 32, 64}) {
            for (int64_t y : {1, 2, 4, 8}) {
                kernels_.push_back(make_kernel(dag_, StageId(0), {{1, x}, {1, y}}));
            }
        }
    }
    static std::vector<double> costs(KernelCosts &of, const std::vector<KernelPtr> &kernels) {
        std::vector<double> result(kernels.size());
        of.compute(kernels, result);
        return result;
    }
    const Dag dag_ = example::copy(512, 256);
    std::vector<KernelPtr> kernels_;
    CountingCosts inner_;
};

constexpr size_t kPlenty = 1 << 20;

TEST_F(Memo, ChangesNoCost) {
    MemoisedCosts memo(inner_, kPlenty);
    const std::vector<double> expected = costs(inner_, kernels_);
    EXPECT_EQ(costs(memo, kernels_), expected);
    EXPECT_EQ(costs(memo, kernels_), expected);
}

TEST_F(Memo, IsSharedWithAnotherThreads) {
    MemoisedCosts memo(inner_, kPlenty), other(inner_, memo);
    const std::vector<double> expected = costs(memo, kernels_);
    EXPECT_EQ(costs(other, kernels_), expected);
    EXPECT_EQ(inner_.asked, kernels_.size());
    EXPECT_EQ(memo.hits(), 0u);
    EXPECT_EQ(other.hits(), kernels_.size()) << "each counts its own";
}

TEST_F(Memo, AsksForEachKernelOnce) {
    MemoisedCosts memo(inner_, kPlenty);
    std::vector<KernelPtr> twice = kernels_;
    twice.insert(twice.end(), kernels_.begin(), kernels_.end());
    const std::vector<double> result = costs(memo, twice);
    EXPECT_EQ(result[3], result[3 + kernels_.size()]);
    EXPECT_EQ(inner_.asked, kernels_.size());
    // The same kernel, built anew.
    costs(memo, {make_kernel(dag_, StageId(0), {{1, 16}, {1, 1}})});
    EXPECT_EQ(inner_.asked, kernels_.size());
    EXPECT_EQ(memo.asked(), 2 * kernels_.size() + 1);
    EXPECT_EQ(memo.hits(), kernels_.size() + 1);
    EXPECT_EQ(memo.evicted(), 0u);
}

TEST_F(Memo, ForgetsTheOldestWhenItIsFull) {
    MemoisedCosts memo(inner_, 4 * 2 * 48);  // two generations of four
    const std::vector<double> expected = costs(inner_, kernels_);
    inner_.asked = 0;
    for (int round = 0; round < 3; ++round) EXPECT_EQ(costs(memo, kernels_), expected);
    EXPECT_GT(memo.evicted(), 0u);
    EXPECT_GT(inner_.asked, kernels_.size());
}

TEST_F(Memo, KeepsWhatIsAskedForAgainAndAgain) {
    MemoisedCosts memo(inner_, 4 * 2 * 48);
    for (const KernelPtr &kernel : kernels_) {
        costs(memo, {kernels_[0]});
        costs(memo, {kernel});
    }
    // Never dropped: it was in the young generation whenever the old one went.
    EXPECT_EQ(inner_.asked, kernels_.size());
}

TEST_F(Memo, OfNoRoomStillGivesEveryCost) {
    MemoisedCosts memo(inner_, 0);
    EXPECT_EQ(costs(memo, kernels_), costs(inner_, kernels_));
    EXPECT_EQ(costs(memo, {}), std::vector<double>{});
}

}  // namespace
}  // namespace autoschedule_gpu
