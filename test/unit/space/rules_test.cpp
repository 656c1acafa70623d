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

TEST(RuleSet, SwitchesOnlyWhatIsNoMatterOfLegality) {
    const Rule legality[] = {Rule::halide_nesting,     Rule::host_boundary,
                             Rule::dynamic_allocation, Rule::hardware_threads,
                             Rule::hardware_shared,    Rule::hardware_grid};
    for (Rule rule : legality) EXPECT_FALSE(can_switch(rule)) << name(rule);
    const RuleSet defaults;
    for (size_t i = 0; i < kRuleCount; ++i) {
        const Rule rule = static_cast<Rule>(i);
        EXPECT_EQ(defaults.has(rule), in_force(rule) != InForce::on_request) << name(rule);
        RuleSet off, on;
        off.switch_off(rule);
        on.switch_on(rule);
        EXPECT_EQ(off.has(rule), !can_switch(rule)) << name(rule);
        EXPECT_TRUE(on.has(rule)) << name(rule);
        for (size_t j = 0; j < kRuleCount; ++j) {
            const Rule other = static_cast<Rule>(j);
            EXPECT_TRUE(j == i || off.has(other) == defaults.has(other));
            EXPECT_TRUE(j == i || on.has(other) == defaults.has(other));
        }
    }
}

TEST(RuleSet, NestsUnlessThatIsSwitchedOff) {
    EXPECT_EQ(in_force(Rule::nested_fusion), InForce::on_request);
}

}  // namespace
}  // namespace autoschedule_gpu
