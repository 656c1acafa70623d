#include "tune/strategies/added_strategies.h"

#include <gtest/gtest.h>

#include "fake_session.h"
#include "tune/run/tuner.h"
#include "tune/strategies/registry.h"

namespace autoschedule_gpu {
namespace {

// Walks down: of all neighbours of the best, the fastest, until none is faster.
class WalkDown final : public api::TunerStrategy {
public:
    std::string_view name() const override { return "walk_down"; }

    void run(api::Tuning &tuning) const override {
        while (!tuning.is_over() && tuning.best()) {
            const size_t from = *tuning.best();
            std::vector<api::TrialRequest> requests;
            for (const api::Neighbour &one : tuning.neighbours(from)) {
                EXPECT_NE(one.from, one.to);
                requests.push_back(one.request);
            }
            tuning.attempt(requests);
            if (tuning.best() == from) return;
        }
    }
};

// Does what `act` does.
class Acting final : public api::TunerStrategy {
public:
    explicit Acting(std::function<void(api::Tuning &)> act) : act_(std::move(act)) {}
    std::string_view name() const override { return "acting"; }
    void run(api::Tuning &tuning) const override { act_(tuning); }

private:
    std::function<void(api::Tuning &)> act_;
};

TuneStrategies strategies_of(std::shared_ptr<const api::TunerStrategy> strategy,
                             const TuneOptions &options = {}) {
    Extension extension{.library = "mine", .path = "/libmine.so", .added = {}};
    extension.added.tuner_strategies.push_back(std::move(strategy));
    const std::vector<TuneStrategyMaker> makers = added_tune_strategies({&extension, 1});
    return {makers.at(0).make(options)};
}

double one_plus(const FakeExecutor::Point &point) {
    return 1.0 + point[0];
}

TEST(AddedTuneStrategies, AreMadeByTheirNames) {
    const TuneStrategies made = strategies_of(std::make_shared<WalkDown>());
    EXPECT_EQ(made[0]->name(), "walk_down");
    EXPECT_EQ(made[0]->starts_from(), StartsFrom::best_known);
}

TEST(AddedTuneStrategies, WalkTheSessionToItsBest) {
    FakeSession fake({64}, 64, one_plus);
    const Result<Finals> finals =
        tune(fake.session, {.strategies = strategies_of(std::make_shared<WalkDown>())});
    ASSERT_TRUE(finals);
    EXPECT_DOUBLE_EQ(fake.session.trials()[finals->best().trial].median_ms(), 2);
    EXPECT_EQ(fake.events("trial").size(), static_cast<size_t>(fake.session.state().trials));
}

TEST(AddedTuneStrategies, SeeTrialsAndCompareThem) {
    FakeSession fake({4}, 8, one_plus);
    const auto act = [](api::Tuning &tuning) {
        EXPECT_EQ(tuning.seed(), 7u);
        ASSERT_EQ(tuning.trial_count(), 1u);
        EXPECT_EQ(tuning.trial(0).times_ms.size(), 3u);
        const std::vector<api::Neighbour> beside = tuning.neighbours(0);
        ASSERT_EQ(beside.size(), 2u);
        const api::TrialRequest both[] = {beside[0].request, beside[1].request};
        const std::vector<size_t> tried = tuning.attempt(both);
        ASSERT_EQ(tried.size(), 2u);
        ASSERT_EQ(tuning.trial_count(), 3u);
        EXPECT_EQ(tuning.trial(tried[0]).request.decisions, both[0].decisions);
        const size_t compared[] = {tried[0], 0};
        const std::vector<std::vector<double>> times = tuning.compare(compared, 3);
        ASSERT_EQ(times.size(), 2u);
        EXPECT_FALSE(times[0].empty());
        EXPECT_FALSE(times[1].empty());
        const std::vector<size_t> again = tuning.attempt(both);
        EXPECT_EQ(again, tried) << "what gives equal code is one trial";
    };
    ASSERT_TRUE(tune(fake.session,
                     {.strategies = strategies_of(std::make_shared<Acting>(act), {.seed = 7})}));
}

TEST(AddedTuneStrategies, FailuresAreTrialsWithAReason) {
    FakeSession fake({4}, 8,
                     [](const FakeExecutor::Point &point) { return point[0] == 4 ? 1.0 : -1.0; });
    const auto act = [](api::Tuning &tuning) {
        for (const api::Neighbour &one : tuning.neighbours(0)) {
            const std::vector<size_t> tried = tuning.attempt({&one.request, 1});
            ASSERT_EQ(tried.size(), 1u);
            EXPECT_EQ(tuning.trial(tried[0]).failure, "it crashed");
            EXPECT_TRUE(tuning.compare({&tried[0], 1}, 3)[0].empty());
        }
    };
    ASSERT_TRUE(tune(fake.session, {.strategies = strategies_of(std::make_shared<Acting>(act))}));
}

TEST(AddedTuneStrategies, GetNoMoreThanTheBudget) {
    FakeSession fake({64}, 64, one_plus, {.trials = 2});
    const auto act = [](api::Tuning &tuning) {
        EXPECT_EQ(tuning.trials_left(5), 1);
        std::vector<api::TrialRequest> requests(3, {.parameters = {}, .decisions = {}});
        for (size_t i = 0; i < requests.size(); ++i) {
            requests[i].parameters = {{"seed", std::to_string(i)}};
        }
        EXPECT_EQ(tuning.attempt(requests).size(), 1u);
        EXPECT_TRUE(tuning.is_over());
        EXPECT_TRUE(tuning.attempt(requests).empty());
    };
    ASSERT_TRUE(tune(fake.session, {.strategies = strategies_of(std::make_shared<Acting>(act))}));
}

}  // namespace
}  // namespace autoschedule_gpu
