#include "plugins/parameters/parameters.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/scheduler/rules/by_name.h"

namespace autoschedule_gpu {
namespace {

using example::id_of;
using Extra = std::map<std::string, std::string>;

Parameters parsed(const Extra &extra) {
    Result<Parameters> parameters = parse_parameters(extra);
    if (parameters.ok()) return parameters.value();
    ADD_FAILURE() << parameters.error().message;
    return {};
}

std::string error_of(const Extra &extra) {
    const Result<Parameters> parameters = parse_parameters(extra);
    return parameters.ok() ? "no error" : parameters.error().message;
}

TEST(Parameters, AreTheDefaultsWhereNothingIsSaid) {
    const Parameters parameters = parsed({});
    EXPECT_EQ(parameters.gpu, "auto");
    EXPECT_EQ(parameters.model, "auto");
    EXPECT_EQ(parameters.beam_size, 32);
    EXPECT_EQ(parameters.random_dropout, 100);
    EXPECT_EQ(parameters.time_limit_s, 60);
    EXPECT_TRUE(parameters.report.empty());
}

TEST(Parameters, AreReadByName) {
    const Parameters p = parsed({{"gpu", "rtx4090"},
                                 {"model", "roofline"},
                                 {"strategy", "beam"},
                                 {"beam_size", "1"},
                                 {"num_passes", "100"},
                                 {"seed", "9223372036854775807"},
                                 {"threads", "8"},
                                 {"time_limit_s", "0.5"},
                                 {"report", "a b.json"},
                                 {"decisions_out", "d.json"},
                                 {"trace", "s.json"},
                                 {"trace_out", "t.json"},
                                 {"disable_rules", "idle_sms,code_size"},
                                 {"random_dropout", "0"},
                                 {"random_dropout_seed", "7"},
                                 {"weights_path", "h100.weights"},
                                 {"parallelism", "108"},
                                 {"shared_memory_limit_kb", "48"},
                                 {"shared_memory_sm_limit_kb", "96"},
                                 {"active_block_limit", "32"},
                                 {"active_warp_limit", "64"}});
    EXPECT_EQ(p.gpu, "rtx4090");
    EXPECT_EQ(p.model, "roofline");
    EXPECT_EQ(p.strategy, "beam");
    EXPECT_EQ(p.beam_size, 1);
    EXPECT_EQ(p.num_passes, 100);
    EXPECT_EQ(p.seed, INT64_MAX);
    EXPECT_EQ(p.threads, 8);
    EXPECT_EQ(p.time_limit_s, 0.5);
    EXPECT_EQ(p.report, "a b.json");
    EXPECT_EQ(p.decisions_out, "d.json");
    EXPECT_EQ(p.trace, "s.json");
    EXPECT_EQ(p.trace_out, "t.json");
    EXPECT_EQ(p.weights_path, "h100.weights");
    EXPECT_EQ(p.disable_rules, "idle_sms,code_size");
    EXPECT_EQ(p.random_dropout, 0);
    EXPECT_EQ(p.random_dropout_seed, 7);
    EXPECT_EQ(p.parallelism, 108);
    EXPECT_EQ(p.shared_memory_limit_kb, 48);
    EXPECT_EQ(p.shared_memory_sm_limit_kb, 96);
    EXPECT_EQ(p.active_block_limit, 32);
    EXPECT_EQ(p.active_warp_limit, 64);
}

TEST(Parameters, AcceptTheEndsOfTheirRanges) {
    EXPECT_EQ(parsed({{"time_limit_s", "0"}}).time_limit_s, 0);
    EXPECT_EQ(parsed({{"time_limit_s", "86400"}}).time_limit_s, 86400);
    EXPECT_EQ(parsed({{"time_limit_s", "1e-3"}}).time_limit_s, 1e-3);
    EXPECT_EQ(parsed({{"beam_size", "100000"}}).beam_size, 100000);
    EXPECT_EQ(parsed({{"random_dropout", "100"}}).random_dropout, 100);
}

TEST(Parameters, SayWhatWasExpectedAndWhatWasFound) {
    const struct {
        const char *name, *value, *expected;
    } cases[] = {
        {"beam_size", "0", "a whole number from 1 to 100000"},
        {"beam_size", "100001", "a whole number from 1 to 100000"},
        {"beam_size", "-1", "a whole number from 1 to 100000"},
        {"beam_size", "", "a whole number from 1 to 100000"},
        {"beam_size", "many", "a whole number from 1 to 100000"},
        {"beam_size", "32 ", "a whole number from 1 to 100000"},
        {"beam_size", " 32", "a whole number from 1 to 100000"},
        {"beam_size", "+32", "a whole number from 1 to 100000"},
        {"beam_size", "3.5", "a whole number from 1 to 100000"},
        {"beam_size", "1e3", "a whole number from 1 to 100000"},
        {"beam_size", "0x10", "a whole number from 1 to 100000"},
        {"num_passes", "0", "a whole number from 1 to 100"},
        {"seed", "-1", "a whole number from 0 to 2^63 - 1"},
        {"seed", "9223372036854775808", "a whole number from 0 to 2^63 - 1"},
        {"threads", "1025", "a whole number from 0 to 1024"},
        {"time_limit_s", "-1", "a number from 0 to 86400"},
        {"time_limit_s", "86401", "a number from 0 to 86400"},
        {"time_limit_s", "nan", "a number from 0 to 86400"},
        {"time_limit_s", "inf", "a number from 0 to 86400"},
        {"time_limit_s", "1m", "a number from 0 to 86400"},
        {"time_limit_s", "", "a number from 0 to 86400"},
        {"random_dropout", "101", "a whole number from 0 to 100"},
        {"model", "oracle", "one of auto, roofline, analytical, network"},
        {"model", "", "one of auto, roofline, analytical, network"},
        {"model", "Roofline", "one of auto, roofline, analytical, network"},
        {"strategy", "luck", "one of auto, beam, greedy_grouping, sampled, plain"},
        {"report", "", "a file"},
        {"gpu", "", "a preset's name, auto, or a JSON file"},
        {"disable_rules", "", "names of rules, separated by commas"},
        {"enable_rules", "", "names of rules, separated by commas"},
        {"disable_decisions", "", "names of decisions, separated by commas"},
        {"parallelism", "4097", "a whole number from 0 to 4096"},
    };
    for (const auto &c : cases) {
        EXPECT_EQ(error_of({{c.name, c.value}}), std::string("autoscheduler.") + c.name +
                                                     " must be " + c.expected + ", found \"" +
                                                     c.value + "\".");
    }
}

TEST(Parameters, SuggestTheNearestNameForAnUnknownOne) {
    const std::string close = error_of({{"beam_sise", "8"}});
    EXPECT_EQ(close.find("unknown parameter autoscheduler.beam_sise. "
                         "Did you mean autoscheduler.beam_size? Known are: gpu, model, "),
              0u)
        << close;
    EXPECT_EQ(close.back(), '.');
    const std::string far = error_of({{"colour_of_the_sky", "blue"}});
    EXPECT_EQ(far.find("Did you mean"), std::string::npos);
    EXPECT_NE(far.find("active_warp_limit."), std::string::npos);
    EXPECT_NE(error_of({{"", "1"}}).find("unknown parameter autoscheduler."), std::string::npos);
    for (const char *name : {"Beam_size", "BEAM_SIZE", "BEAM"}) {
        EXPECT_NE(error_of({{name, "1"}}).find("Did you mean autoscheduler.beam_size?"),
                  std::string::npos)
            << name;
    }
    EXPECT_EQ(error_of({{"xyz", "1"}}).find("Did you mean"), std::string::npos)
        << "gpu has no letter of it";
}

TEST(Parameters, GiveOneScheduleAtMost) {
    EXPECT_EQ(parsed({{"decisions", "d.json"}}).decisions, "d.json");
    EXPECT_EQ(error_of({{"trace", "t.json"}, {"decisions", "d.json"}}),
              "autoscheduler.trace and autoscheduler.decisions each give a schedule. Leave one "
              "out.");
    for (const std::string other : {"trace", "decisions"}) {
        EXPECT_EQ(error_of({{other, "s.json"}, {"records", "my.records"}}),
                  "autoscheduler." + other +
                      " and autoscheduler.records each give a schedule. Leave one out.");
    }
}

TEST(Parameters, WriteEachOutputToAFileOfItsOwn) {
    const auto error = [](const Extra &extra) {
        const Status can = check_files(parsed(extra));
        return can.ok() ? "no error" : can.error().message;
    };
    const std::string folder = testing::TempDir();
    EXPECT_EQ(error({{"report", folder + "/same"}, {"explain", folder + "/./same"}}),
              "autoscheduler.report and autoscheduler.explain both write " + folder +
                  "/./same. Name two files.");
    EXPECT_EQ(error({{"report", folder + "/one"}, {"explain", folder + "/other"}}), "no error");
    EXPECT_EQ(error({{"report", "/dev/null"}, {"trace_out", "/dev/null"}}), "no error");
}

TEST(DisableRules, SwitchesOffWhatItNames) {
    const RuleBook rules = rule_set(parsed({{"disable_rules", "idle_sms,code_size"}})).value();
    EXPECT_FALSE(rules.has(id_of("idle_sms")));
    EXPECT_FALSE(rules.has(id_of("code_size")));
    EXPECT_TRUE(rules.has(id_of("low_lane_use")));
    EXPECT_TRUE(rules.has(id_of("halide_nesting")));
    EXPECT_TRUE(rule_set(parsed({})).value().has(id_of("idle_sms")));
}

TEST(DisableRules, RefusesRulesThatKeepSchedulesLegalAndUnknownOnes) {
    const std::string legality = error_of({{"disable_rules", "hardware_shared"}});
    EXPECT_EQ(
        legality.find("autoscheduler.disable_rules names \"hardware_shared\"; that rule keeps "
                      "schedules legal. Rules that can be switched: "),
        0u)
        << legality;
    const RuleBook rules;
    for (size_t i = 0; i < rules.size(); ++i) {
        const std::string &name = rules[RuleId(i)].name;
        const bool listed = legality.substr(legality.find(':')).find(name) != std::string::npos;
        EXPECT_EQ(listed, rules.can_switch(RuleId(i))) << name;
    }
    for (const char *value : {"no_such_rule", "idle_sms code_size", "idle_sms, ,code_size",
                              "idle_sms,,code_size", ","}) {
        EXPECT_NE(error_of({{"disable_rules", value}}).find("there is no such rule"),
                  std::string::npos)
            << value;
    }
}

TEST(DisableDecisions, SwitchesOffWhatItNames) {
    const Parameters parameters = parsed({{"disable_decisions", "unroll,rfactor"}});
    EXPECT_TRUE(disables_decision(parameters, "rfactor"));
    EXPECT_TRUE(disables_decision(parameters, "unroll"));
    EXPECT_FALSE(disables_decision(parameters, "place"));
    EXPECT_FALSE(disables_decision(parsed({}), "rfactor"));
}

TEST(DisableDecisions, MayHaveASpaceBehindAComma) {
    const Parameters parameters = parsed({{"disable_decisions", " vectors, steps "}});
    EXPECT_TRUE(disables_decision(parameters, "vectors"));
    EXPECT_TRUE(disables_decision(parameters, "steps"));
    const RuleBook rules = rule_set(parsed({{"disable_rules", "idle_sms, code_size"}})).value();
    EXPECT_FALSE(rules.has(id_of("code_size")));
}

TEST(DisableDecisions, SwitchesOnTheRulesThatForbidThem) {
    const RuleBook rules =
        rule_set(parsed({{"disable_decisions", "rows,aligned_tiles,updates_in_registers"}}))
            .value();
    for (const char *name : {"whole_rows", "aligned_tiles", "updates_in_registers"}) {
        EXPECT_TRUE(rules.has(id_of(name))) << name;
        EXPECT_FALSE(rule_set(parsed({})).value().has(id_of(name))) << name;
    }
}

TEST(DisableDecisions, RefusesWhatIsNoKindThatCanBeSwitchedOff) {
    for (const char *value :
         {"place", "rfactor unroll", "rfactor, ,unroll", "rfactor,,unroll", ","}) {
        const std::string error = error_of({{"disable_decisions", value}});
        EXPECT_NE(
            error.find("there is no such kind of decisions. Kinds that can be switched off: "
                       "aligned_tiles along_stores channel_vectors compute_with fitted_blocks "
                       "loads_ahead multiples "
                       "padding pixel_vectors rfactor "
                       "rows sliding step_vectors steps storage unroll updates_in_registers "
                       "vectors."),
            std::string::npos)
            << error;
    }
}

TEST(EnableRules, SwitchesOnWhatItNames) {
    EXPECT_FALSE(rule_set(parsed({})).value().has(id_of("nested_fusion")));
    EXPECT_TRUE(
        rule_set(parsed({{"enable_rules", "nested_fusion"}})).value().has(id_of("nested_fusion")));
}

TEST(EnableRules, RefusesUnknownRulesAndWhatIsAlsoSwitchedOff) {
    EXPECT_EQ(error_of({{"enable_rules", "nested"}})
                  .find("autoscheduler.enable_rules names \"nested\"; there is no such rule. Rules "
                        "that can be switched: "),
              0u);
    EXPECT_EQ(error_of({{"enable_rules", "idle_sms"}, {"disable_rules", "code_size,idle_sms"}}),
              "autoscheduler.enable_rules and autoscheduler.disable_rules both name \"idle_sms\". "
              "Leave it out of one.");
}

TEST(ParameterList, SaysWhatEachRuleThatCanBeSwitchedRejects) {
    const auto help_of = [](std::string_view name) {
        const std::vector<ParameterInfo> list = parameter_list();
        return std::string(std::ranges::find(list, name, &ParameterInfo::name)->help);
    };
    const std::string disable = help_of("disable_rules"), enable = help_of("enable_rules");
    const RuleBook rules;
    for (size_t i = 0; i < rules.size(); ++i) {
        const RuleInfo &rule = rules[RuleId(i)];
        const std::string text = " " + rule.name + ": " + rule.sentence + ".";
        EXPECT_EQ(disable.find(text) != std::string::npos, rule.in_force == InForce::by_default)
            << rule.name;
        EXPECT_EQ(enable.find(text) != std::string::npos, rule.in_force == InForce::on_request)
            << rule.name;
    }
}

TEST(ParameterList, HasTheDefaultsOfTheStruct) {
    for (const ParameterInfo &info : parameter_list()) {
        EXPECT_FALSE(info.range.empty()) << info.name;
        EXPECT_FALSE(info.help.empty()) << info.name;
        if (info.name == "beam_size") {
            EXPECT_EQ(info.default_value, "32");
        }
        // A default, given as a value, is accepted.
        if (info.default_value.empty()) continue;
        EXPECT_EQ(error_of({{std::string(info.name), info.default_value}}), "no error")
            << info.name;
    }
}

TEST(ParametersMarkdown, HasARowForEveryParameter) {
    const std::string table = parameters_markdown();
    size_t lines = 0;
    for (char c : table) lines += c == '\n';
    EXPECT_EQ(lines, 2 + parameter_list().size());
    for (const ParameterInfo &info : parameter_list()) {
        EXPECT_NE(table.find("\n| `" + std::string(info.name) + "` | " + info.range + " | "),
                  std::string::npos)
            << info.name;
        EXPECT_NE(table.find(info.help), std::string::npos) << info.name;
        EXPECT_EQ(std::string(info.help).find('|'), std::string::npos) << "would end a cell";
    }
}

}  // namespace
}  // namespace autoschedule_gpu
