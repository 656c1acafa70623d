#include "contest/contender.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

GpuModel model() {
    GpuModel model;
    model.sm_count = 108;
    return model;
}

TEST(Contender, ThisPluginIsToldOfTheGpuByName) {
    const Contender contender = parse_contender("gpu:beam_size=1", "A100", model()).value();
    EXPECT_EQ(contender.label, "gpu:beam_size=1");
    EXPECT_EQ(contender.scheduler, "GPU");
    EXPECT_EQ(contender.scheduler_params, (NamedValues{{"gpu", "A100"}, {"beam_size", "1"}}));
}

TEST(Contender, TheOthersAreToldOfItsMultiprocessors) {
    const Contender contender = parse_contender("anderson2021", "A100", model()).value();
    EXPECT_EQ(contender.scheduler_params, (NamedValues{{"parallelism", "108"}}));
}

TEST(Contender, AParameterReplacesTheDefault) {
    const Contender contender = parse_contender("li2018:parallelism=4", "A100", model()).value();
    EXPECT_EQ(contender.scheduler_params, (NamedValues{{"parallelism", "4"}}));
}

TEST(Contender, TheManualScheduleIsAParameterOfTheGenerator) {
    const Contender contender = parse_contender("manual", "A100", model()).value();
    EXPECT_TRUE(contender.scheduler.empty());
    EXPECT_EQ(contender.generator_params, (NamedValues{{"manual", "true"}}));
}

TEST(Contender, WhatIsNoSchedulerIsRefusedWithTheListOfThem) {
    for (const char *text : {"", "luck", "manual:beam_size=1", "gpu:beam_size", "gpu:=1", "gpu:a="}) {
        EXPECT_FALSE(parse_contender(text, "A100", model())) << text;
    }
    EXPECT_NE(parse_contender("luck", "A100", model()).error().message.find("mullapudi2016"),
              std::string::npos);
}

TEST(Contender, AListKeepsItsOrderAndTakesEachOnce) {
    const auto contenders = parse_contenders("root,gpu,root", "A100", model()).value();
    ASSERT_EQ(contenders.size(), 2u);
    EXPECT_EQ(contenders[0].label, "root");
    EXPECT_EQ(contenders[1].label, "gpu");
    EXPECT_FALSE(parse_contenders(",", "A100", model()));
}

}  // namespace
}  // namespace autoschedule_gpu
