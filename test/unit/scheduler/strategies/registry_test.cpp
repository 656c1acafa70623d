#include "scheduler/strategies/registry.h"

#include <gtest/gtest.h>

#include "scheduler/search/plain.h"

namespace autoschedule_gpu {
namespace {

class Named final : public SearchStrategy {
public:
    explicit Named(std::string_view name) : info_{.name = name} {}
    const StrategyInfo &info() const override { return info_; }
    SearchResult search(const SearchProblem &problem, SearchContext &) const override {
        return {{host_state(problem.space)}, {}};
    }

private:
    StrategyInfo info_;
};

TEST(StrategyRegistry, HasTheShippedStrategies) {
    const StrategyRegistry registry;
    for (const char *name : {"beam", "greedy_grouping", "plain", "host"}) {
        const auto strategy = registry.find(name);
        ASSERT_TRUE(strategy.ok()) << name;
        EXPECT_EQ((*strategy)->info().name, name);
    }
}

TEST(StrategyRegistry, ListsWhatItKnowsToWhomAsksForAnother) {
    const auto unknown = StrategyRegistry().find("bean");
    ASSERT_FALSE(unknown.ok());
    EXPECT_EQ(
        unknown.error().message,
        "there is no strategy \"bean\". Known are: beam, greedy_grouping, sampled, plain, host.");
}

TEST(StrategyRegistry, TakesOthersForItselfAlone) {
    StrategyRegistry registry;
    ASSERT_TRUE(registry.add(std::make_shared<const Named>("mine")).ok());
    EXPECT_EQ(registry.find("mine").value()->info().name, "mine");
    EXPECT_FALSE(StrategyRegistry().find("mine").ok()) << "a registry is a value";
    const StrategyRegistry copy = registry;
    EXPECT_TRUE(copy.find("mine").ok());
}

TEST(StrategyRegistry, RefusesASecondOfAName) {
    StrategyRegistry registry;
    const auto before = registry.find("plain").value();
    const Status added = registry.add(std::make_shared<const Named>("plain"));
    ASSERT_FALSE(added.ok());
    EXPECT_EQ(added.error().message, "there is a strategy \"plain\" already.");
    EXPECT_EQ(registry.find("plain").value(), before);
}

}  // namespace
}  // namespace autoschedule_gpu
