#include "scheduler/rules/rule_book.h"

#include <gtest/gtest.h>

#include "scheduler/rules/named_rules.h"
#include "unit/scheduler/rules/by_name.h"

namespace autoschedule_gpu {
namespace {

using example::id_of;

std::vector<RuleId> ids_of(const RuleBook &rules) {
    std::vector<RuleId> ids;
    for (size_t i = 0; i < rules.size(); ++i) ids.emplace_back(i);
    return ids;
}

TEST(RuleBook, FindsRulesByTheirNames) {
    const RuleBook rules;
    for (RuleId rule : ids_of(rules)) {
        EXPECT_EQ(rules.find(rules[rule].name), rule);
        EXPECT_FALSE(rules[rule].sentence.empty());
    }
    EXPECT_EQ(rules.find("no_such_rule"), std::nullopt);
    EXPECT_EQ(rules.find(""), std::nullopt);
}

TEST(RuleBook, HasRulesThatCodeNamesAtTheirPlaces) {
    EXPECT_EQ(id_of("halide_nesting"), kHalideNesting);
    EXPECT_EQ(id_of("host_boundary"), kHostBoundary);
    EXPECT_EQ(id_of("dynamic_allocation"), kDynamicAllocation);
    EXPECT_EQ(id_of("low_lane_use"), kLowLaneUse);
    EXPECT_EQ(id_of("random_dropout"), kRandomDropout);
}

TEST(RuleBook, SwitchesOnlyWhatIsNoMatterOfLegality) {
    const RuleBook defaults;
    for (const char *name : {"halide_nesting", "host_boundary", "dynamic_allocation",
                             "hardware_threads", "hardware_shared", "hardware_grid"}) {
        EXPECT_FALSE(defaults.can_switch(id_of(name))) << name;
    }
    for (RuleId rule : ids_of(defaults)) {
        const RuleInfo &info = defaults[rule];
        EXPECT_EQ(defaults.has(rule), info.in_force != InForce::on_request) << info.name;
        RuleBook off, on;
        off.switch_off(rule);
        on.switch_on(rule);
        EXPECT_EQ(off.has(rule), info.in_force == InForce::always) << info.name;
        EXPECT_TRUE(on.has(rule)) << info.name;
        for (RuleId other : ids_of(defaults)) {
            EXPECT_TRUE(other == rule || off.has(other) == defaults.has(other));
            EXPECT_TRUE(other == rule || on.has(other) == defaults.has(other));
        }
    }
}

TEST(RuleBook, ForbidsNestedFusionOnRequestOnly) {
    EXPECT_EQ(RuleBook()[id_of("nested_fusion")].in_force, InForce::on_request);
}

TEST(RuleBook, TakesRulesOfOneNameForOneThatIsAskedAboutSeveralThings) {
    RuleBook rules;
    const RuleInfo info{"mine", "what I don't want"};
    const RuleId id =
        rules.add(TilingRule{info, {}, [](const TilingCandidate &) { return std::nullopt; }})
            .value();
    EXPECT_EQ(id.index(), RuleBook().size());
    EXPECT_EQ(rules.add(info).value(), id);
    EXPECT_EQ(rules.size(), RuleBook().size() + 1);
    EXPECT_TRUE(rules.has(id));
    EXPECT_TRUE(rules.can_switch(id));
}

TEST(RuleBook, RefusesASecondMeaningOfAName) {
    RuleBook rules;
    const Result<RuleId> refused = rules.add(RuleInfo{"idle_sms", "no more than one block"});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message,
              "There are two rules of the name \"idle_sms\": \"fewer blocks than twice the number "
              "of SMs, where more are possible\" and \"no more than one block\".");
    EXPECT_EQ(rules.size(), RuleBook().size());
}

TEST(RuleBook, TellsPeopleWhatWasFoundAndWhatIsAllowed) {
    const RuleBook rules;
    EXPECT_EQ(rules.text({id_of("hardware_threads"), {1152, 1024, "threads per block"}}),
              "hardware_threads: 1,152 threads per block, the device allows 1,024");
    EXPECT_EQ(rules.text({id_of("idle_sms"), {1, 216, "blocks"}}),
              "idle_sms: 1 blocks, the rule asks for 216");
    EXPECT_EQ(rules.text({id_of("excess_recompute"), {16.25, 10, "evaluations for each at root"}}),
              "excess_recompute: 16.2 evaluations for each at root, the rule allows 10");
    EXPECT_EQ(rules.text({id_of("hardware_shared"), {1234567.0, 999, "bytes"}}),
              "hardware_shared: 1,234,567 bytes, the device allows 999");
    EXPECT_EQ(rules.text({kHostBoundary}),
              "host_boundary: GPU code for, or around, what must stay on the host");
}

TEST(RuleCounts, AreThoseOfEachRuleWhicheverWasCountedFirst) {
    RuleCounts some, more;
    some.count(RuleId(40));
    some.count(RuleId(2), 3);
    some.count(RuleId(90), 0);
    EXPECT_EQ(some[RuleId(40)], 1u);
    EXPECT_EQ(some[RuleId(2)], 3u);
    EXPECT_EQ(some[RuleId(90)], 0u);
    EXPECT_EQ(some.total(), 4u);
    more.count(RuleId(2), 2);
    more.add(some);
    EXPECT_EQ(more[RuleId(2)], 5u);
    some.count(RuleId(2), 2);
    EXPECT_EQ(more, some);
}

}  // namespace
}  // namespace autoschedule_gpu
