#include "learn/train/loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace autoschedule_gpu {
namespace {

// A batch that owns its lists.
struct Batch {
    std::vector<double> predicted, measured, trust;
    double best = 0;

    Batch(std::vector<double> predicted_ns, std::vector<double> measured_ns, double best_ns)
        : predicted(std::move(predicted_ns)),
          measured(std::move(measured_ns)),
          trust(measured.size(), 1.0),
          best(best_ns) {}

    double loss(Loss kind) const {
        std::vector<double> unused(predicted.size(), 0.0);
        return value(kind, unused);
    }
    std::vector<double> gradient(Loss kind) const {
        std::vector<double> gradient(predicted.size(), 0.0);
        value(kind, gradient);
        return gradient;
    }
    double value(Loss kind, std::vector<double> &gradient) const {
        return autoschedule_gpu::loss(kind, {predicted, measured, trust, best}, 1, gradient);
    }
};

class EachLoss : public testing::TestWithParam<Loss> {};

// Costs on both sides of the best, far off and close.
TEST_P(EachLoss, HasTheGradientThatDifferencesGive) {
    Batch batch({40, 90, 260, 1000, 5000, 70}, {100, 110, 300, 800, 90, 2000}, 90);
    batch.trust = {1, 0.5, 1, 0.2, 1, 0.9};
    const std::vector<double> gradient = batch.gradient(GetParam());
    for (size_t i = 0; i < gradient.size(); ++i) {
        constexpr double kStep = 1e-5;
        Batch above = batch, below = batch;
        above.predicted[i] *= std::exp(kStep);
        below.predicted[i] *= std::exp(-kStep);
        const double difference = (above.loss(GetParam()) - below.loss(GetParam())) / (2 * kStep);
        EXPECT_NEAR(gradient[i], difference, 1e-5)
            << i;  // one cost is the best: where the curvature jumps
    }
}

TEST_P(EachLoss, IsTheSameInAnyUnit) {
    const Batch nanoseconds({40, 90, 260}, {100, 110, 300}, 100);
    const Batch microseconds({0.04, 0.09, 0.26}, {0.1, 0.11, 0.3}, 0.1);
    EXPECT_NEAR(nanoseconds.loss(GetParam()), microseconds.loss(GetParam()), 1e-12);
}

TEST_P(EachLoss, IsLeastWherePredictionsAreTimes) {
    const Batch right({100, 110, 300}, {100, 110, 300}, 100);
    for (const double slope : right.gradient(GetParam())) EXPECT_NEAR(slope, 0, 1e-12);
    EXPECT_LT(right.loss(GetParam()),
              Batch({110, 100, 300}, {100, 110, 300}, 100).loss(GetParam()));
}

TEST_P(EachLoss, BoundsWhatOneWrongMeasurementDoes) {
    for (const double wrong : {1e-6, 1e12}) {
        for (const double slope :
             Batch({100, wrong, 300}, {100, 110, 300}, 100).gradient(GetParam())) {
            EXPECT_LT(std::abs(slope), 20);
        }
    }
}

TEST_P(EachLoss, GivesNoWeightToWhatIsNotTrusted) {
    Batch batch({100, 7, 300}, {100, 110, 300}, 100);
    batch.trust[1] = 0;
    for (const double slope : batch.gradient(GetParam())) EXPECT_NEAR(slope, 0, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Losses, EachLoss,
                         testing::Values(Loss::throughput, Loss::pairwise, Loss::both),
                         [](const auto &info) {
                             return std::string(kLossNames[static_cast<size_t>(info.param)]);
                         });

TEST(ThroughputLoss, IsTheSquareOfRelativeThroughputs) {
    // (100 / 200 - 100 / 100)^2 and (100 / 400 - 100 / 200)^2, of two schedules.
    EXPECT_DOUBLE_EQ(Batch({200, 400}, {100, 200}, 100).loss(Loss::throughput),
                     (0.25 + 0.0625) / 2);
}

TEST(PairwiseLoss, LooksAtTheOrderAndNotAtTheScale) {
    const Batch of({200, 420}, {100, 200}, 100), ten_times({2000, 4200}, {100, 200}, 100);
    EXPECT_NEAR(of.loss(Loss::pairwise), ten_times.loss(Loss::pairwise), 1e-12);
}

// Equal predictions: log 2 whatever was measured.
TEST(PairwiseLoss, IsThatOfACoinWherePredictionsAreEqual) {
    EXPECT_DOUBLE_EQ(Batch({5, 5}, {100, 900}, 100).loss(Loss::pairwise), std::log(2));
}

TEST(PairwiseLoss, NeedsTwoSchedules) {
    EXPECT_EQ(Batch({5}, {100}, 100).loss(Loss::pairwise), 0);
}

TEST(LossNames, AreFoundAndNothingElseIs) {
    EXPECT_EQ(loss_of_name("l2"), Loss::throughput);
    EXPECT_EQ(loss_of_name("both"), Loss::both);
    EXPECT_EQ(loss_of_name("rank"), std::nullopt);
}

}  // namespace
}  // namespace autoschedule_gpu
