#include "compare/ablation/configuration.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

std::vector<std::string> names_of(const char *text) {
    std::vector<std::string> names;
    const std::vector<Configuration> configurations = parse_configurations(text).value();
    for (const Configuration &c : configurations) names.push_back(c.name);
    return names;
}

const std::vector<std::string> kPaper = {
    "memo+sampling+freeze", "memo+sampling", "memo+freeze", "memo",
    "sampling+freeze",      "sampling",      "freeze",      "none"};

TEST(Configuration, TheEightOfThePaperAreInItsOrder) {
    EXPECT_EQ(names_of("paper"), kPaper);
}

TEST(Configuration, WhatIsNotNamedIsOff) {
    const Configuration configuration = parse_configurations("memo+freeze").value().at(0);
    EXPECT_EQ(configuration.params,
              (NamedValues{{"memo", "on"}, {"sampling", "off"}, {"freeze", "on"}}));
}

TEST(Configuration, TheDefaultSetsNothing) {
    EXPECT_TRUE(parse_configurations("default").value().at(0).params.empty());
}

TEST(Configuration, TheExhaustiveOneIsAskedForByNameOrByAll) {
    EXPECT_EQ(names_of("paper,default").size(), 9u);
    EXPECT_EQ(names_of("all").size(), 10u);
    const NamedValues params = parse_configurations("exhaustive").value().at(0).params;
    EXPECT_EQ(params, (NamedValues{{"sampling", "off"}, {"freeze", "off"}, {"beam_size", "256"}}));
}

TEST(Configuration, AListIsPutInOrderAndTakesEachOnce) {
    EXPECT_EQ(names_of("none,memo,default,memo"),
              (std::vector<std::string>{"memo", "none", "default"}));
}

TEST(Configuration, AnUnknownNameIsAnErrorThatListsThem) {
    const auto wrong = parse_configurations("memo,memo+sampling+frieze");
    ASSERT_FALSE(wrong);
    EXPECT_TRUE(wrong.error().message.starts_with(
        "no configuration 'memo+sampling+frieze'; there are: all, paper, memo+sampling+freeze, "))
        << wrong.error().message;
    EXPECT_FALSE(parse_configurations(","));
}

}  // namespace
}  // namespace autoschedule_gpu
