#include "plugins/extensions/added_strategy.h"

#include <gtest/gtest.h>

#include <set>

#include "scheduler/nest/check.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu {
namespace {

// Takes the first choice that no rule rejects, for so many steps, and notes what it saw.
class FirstChoice final : public api::SearchStrategy {
public:
    explicit FirstChoice(int steps) : steps_(steps) {}

    std::string_view name() const override { return "first_choice"; }

    api::SearchStatePtr search(const api::SearchProblem &problem, const api::SearchStatePtr &start,
                               const api::SearchLimits &limits) const override {
        EXPECT_EQ(limits.options.beam_size, 7);
        EXPECT_FALSE(limits.time_is_up());
        api::SearchStatePtr state = start;
        for (int step = 0; step < steps_; ++step) {
            const std::vector<api::Choice> choices = problem.choices(state);
            if (choices.empty()) break;
            std::set<std::string> texts;
            for (const api::Choice &choice : choices) texts.insert(choice.text);
            EXPECT_EQ(texts.size(), choices.size()) << "choices have the same text";
            state = first(problem, state, choices);
            EXPECT_GT(problem.cost(state), 0);
        }
        return state;
    }

private:
    static api::SearchStatePtr first(const api::SearchProblem &problem,
                                     const api::SearchStatePtr &state,
                                     const std::vector<api::Choice> &choices) {
        for (const api::Choice &choice : choices) {
            const auto made = problem.take(state, choice);
            if (const auto *next = std::get_if<api::SearchStatePtr>(&made)) return *next;
            EXPECT_FALSE(std::get<api::Rejection>(made).rule.empty());
        }
        ADD_FAILURE() << "every choice is rejected";
        return state;
    }

    int steps_;
};

class Nothing final : public api::SearchStrategy {
public:
    std::string_view name() const override { return "nothing"; }
    api::SearchStatePtr search(const api::SearchProblem &, const api::SearchStatePtr &,
                               const api::SearchLimits &) const override {
        return nullptr;
    }
};

void add_all(api::Library &library) {
    library.strategies.push_back(std::make_shared<FirstChoice>(1000));
    library.strategies.push_back(std::make_shared<FirstChoice>(1));
    library.strategies.push_back(std::make_shared<Nothing>());
}

class AddedStrategies : public testing::Test {
protected:
    SearchResult found_by(size_t index) const {
        Extension extension;
        add_all(extension.added);
        api::Options options;
        options.beam_size = 7;
        const auto strategies = added_strategies({&extension, 1}, options);
        const GpuModel gpu = find_preset("a100").value();
        const RankingModels models(gpu, ModelChoice{});
        const SearchSpace space(dag_, models.gpu, RuleBook(), Freedom::full);
        SearchContext context{SearchOptions{}};
        return strategies.at(index)->search({space, models}, context);
    }

    void expect_complete(const SearchResult &result) const {
        ASSERT_EQ(result.best.size(), 1u);
        EXPECT_EQ(check(dag_, result.best[0].nest, Completeness::complete),
                  std::vector<std::string>{});
        EXPECT_GT(result.best[0].cost, 0);
    }

    const Dag dag_ = example::clamped_stencil(512, 256);
};

TEST_F(AddedStrategies, WalkToACompleteState) {
    const SearchResult result = found_by(0);
    expect_complete(result);
    EXPECT_EQ(result.report.passes, 1);
    EXPECT_GT(result.report.states_enumerated, result.report.states_scored);
    EXPECT_GT(result.report.states_scored, 0u);
    EXPECT_GT(result.report.kernels_asked, 0u);
}

TEST_F(AddedStrategies, AreCompletedPlainlyWhereTheyStopEarly) {
    expect_complete(found_by(1));
}

TEST_F(AddedStrategies, ThatReturnNothingLeaveThePlainSchedule) {
    expect_complete(found_by(2));
}

}  // namespace
}  // namespace autoschedule_gpu
