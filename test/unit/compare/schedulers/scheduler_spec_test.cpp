#include "compare/schedulers/scheduler_spec.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

GpuModel model() {
    GpuModel model;
    model.sm_count = 108;
    return model;
}

TEST(SchedulerSpec, ThisPluginIsToldOfTheGpuByName) {
    const SchedulerSpec contender = parse_contender("gpu:beam_size=1", "A100", model()).value();
    EXPECT_EQ(contender.label, "gpu:beam_size=1");
    EXPECT_EQ(contender.scheduler, "GPU");
    EXPECT_EQ(contender.scheduler_params, (NamedValues{{"gpu", "A100"}, {"beam_size", "1"}}));
}

TEST(SchedulerSpec, TheOthersAreToldOfItsMultiprocessors) {
    const SchedulerSpec contender = parse_contender("anderson2021", "A100", model()).value();
    EXPECT_EQ(contender.scheduler_params, (NamedValues{{"parallelism", "108"}}));
}

TEST(SchedulerSpec, AParameterReplacesTheDefault) {
    const SchedulerSpec contender =
        parse_contender("li2018:parallelism=4", "A100", model()).value();
    EXPECT_EQ(contender.scheduler_params, (NamedValues{{"parallelism", "4"}}));
}

TEST(SchedulerSpec, TheManualScheduleIsAParameterOfTheGenerator) {
    const SchedulerSpec contender = parse_contender("manual", "A100", model()).value();
    EXPECT_TRUE(contender.scheduler.empty());
    EXPECT_EQ(contender.generator_params, (NamedValues{{"manual", "true"}}));
}

TEST(SchedulerSpec, WhatIsNoSchedulerIsRefusedWithTheListOfThem) {
    for (const char *text :
         {"", "luck", "manual:beam_size=1", "gpu:beam_size", "gpu:=1", "gpu:a="}) {
        EXPECT_FALSE(parse_contender(text, "A100", model())) << text;
    }
    EXPECT_NE(parse_contender("luck", "A100", model()).error().message.find("mullapudi2016"),
              std::string::npos);
}

TEST(SchedulerSpec, AListKeepsItsOrderAndTakesEachOnce) {
    const auto contenders = parse_contenders("root,gpu,root", "A100", model()).value();
    ASSERT_EQ(contenders.size(), 2u);
    EXPECT_EQ(contenders[0].label, "root");
    EXPECT_EQ(contenders[1].label, "gpu");
    EXPECT_FALSE(parse_contenders(",", "A100", model()));
}

TEST(SchedulerSpec, LabelsThatDifferInPunctuationHaveFoldersOfTheirOwn) {
    const auto folder = [](const char *label) {
        return SchedulerSpec{.label = label}.folder_name();
    };
    EXPECT_EQ(folder("manual"), "manual");
    EXPECT_NE(folder("gpu:seed=1"), folder("gpu:seed_1"));
    EXPECT_NE(folder("gpu:seed=1"), folder("gpu_seed_1"));
    EXPECT_EQ(folder("gpu:seed=1").find("gpu_seed_1-"), 0u);
    EXPECT_EQ(folder("gpu:seed=1").find('='), std::string::npos);
}

}  // namespace
}  // namespace autoschedule_gpu
