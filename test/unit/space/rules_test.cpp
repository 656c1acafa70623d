#include "space/rules.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

TEST(Rules, AreFoundByTheirNames) {
    for (size_t i = 0; i < kRuleCount; ++i) {
        const Rule rule = static_cast<Rule>(i);
        EXPECT_EQ(find_rule(name(rule)), rule);
        EXPECT_FALSE(meaning(rule).empty());
    }
    EXPECT_EQ(find_rule("no_such_rule"), std::nullopt);
    EXPECT_EQ(find_rule(""), std::nullopt);
    EXPECT_EQ(name(Rule::idle_sms), "idle_sms");
}

TEST(RuleSet, SwitchesOffOnlyWhatIsNoMatterOfLegality) {
    const Rule legality[] = {Rule::halide_nesting,     Rule::host_boundary,
                             Rule::dynamic_allocation, Rule::hardware_threads,
                             Rule::hardware_shared,    Rule::hardware_grid};
    for (Rule rule : legality) EXPECT_FALSE(can_switch_off(rule)) << name(rule);
    for (size_t i = 0; i < kRuleCount; ++i) {
        const Rule rule = static_cast<Rule>(i);
        RuleSet rules;
        EXPECT_TRUE(rules.has(rule));
        rules.switch_off(rule);
        EXPECT_EQ(rules.has(rule), !can_switch_off(rule)) << name(rule);
        for (size_t j = 0; j < kRuleCount; ++j) {
            EXPECT_TRUE(j == i || rules.has(static_cast<Rule>(j)));
        }
    }
}

}  // namespace
}  // namespace autoschedule_gpu
