#include <gtest/gtest.h>

#include <memory>

#include "scheduler/model/weights_file.h"
#include "tune/run/tuning_run.h"
#include "tune/strategies/registry.h"
#include "unit/lab/workloads/example_workloads.h"

namespace autoschedule_gpu {
namespace {

std::shared_ptr<const Weights> weights_of_seed(uint64_t seed) {
    WeightsOrigin origin;
    origin.gpu = "A100";
    return std::make_shared<const Weights>(Weights{origin, std::nullopt, Network::initial(seed)});
}

TuneRequest request_for(const std::string &strategy, const TuneOptions &options = {}) {
    TuneRequest request;
    request.workload = example_workload("app:fake", "full");
    request.strategies = {TuneStrategyRegistry().find(strategy).value().make(options)};
    return request;
}

std::string id_under(std::shared_ptr<const Weights> weights) {
    TuneRequest request = request_for("random");
    request.model.choice = {.kind = ModelKind::network, .weights = std::move(weights)};
    return session_id(request);
}

TEST(SessionId, IsOfTheContentOfTheWeightsThatARunBeginsWith) {
    EXPECT_EQ(id_under(weights_of_seed(1)), id_under(weights_of_seed(1)));
    EXPECT_NE(id_under(weights_of_seed(1)), id_under(weights_of_seed(2)));
}

TEST(SessionId, IsOfTheWeightsThatAreTrainedFurther) {
    const auto id_from = [](const SamplerWeights &weights) {
        return session_id(request_for("evolutionary", {.retraining = {.weights = weights}}));
    };
    const std::string fresh = session_id(request_for("evolutionary"));
    EXPECT_NE(id_from({.path = "here", .name = "a"}), fresh);
    EXPECT_NE(id_from({.path = "here", .name = "a"}), id_from({.path = "here", .name = "b"}));
    EXPECT_EQ(id_from({.path = "here", .name = "a"}), id_from({.path = "there", .name = "a"}));
}

TEST(SessionId, IsOfTheStrategyAndItsRoundsAndOfNoBudget) {
    EXPECT_NE(session_id(request_for("random")), session_id(request_for("genetic")));
    EXPECT_NE(session_id(request_for("evolutionary", {.batch = 8})),
              session_id(request_for("evolutionary", {.batch = 9})));
    TuneRequest poor = request_for("random");
    poor.budget.trials = 3;
    EXPECT_EQ(session_id(poor), session_id(request_for("random")));
}

}  // namespace
}  // namespace autoschedule_gpu
