#include "lab/run/device.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

TEST(ParseDevice, KnowsEveryKind) {
    EXPECT_EQ(*parse_device("none"), Device{});
    EXPECT_EQ(*parse_device("opencl"), Device{.kind = DeviceKind::opencl});
    EXPECT_EQ(*parse_device("cuda"), Device{.kind = DeviceKind::cuda});
    const Device replay = *parse_device("replay:a b:c.jsonl");
    EXPECT_EQ(replay.kind, DeviceKind::replay);
    EXPECT_EQ(replay.replay_file, "a b:c.jsonl");
}

TEST(ParseDevice, IsTheInverseOfItsText) {
    for (const char *text : {"none", "opencl", "cuda", "replay:x"}) {
        EXPECT_EQ(to_string(*parse_device(text)), text);
    }
}

TEST(ParseDevice, SaysWhatWasExpectedAndFound) {
    EXPECT_EQ(parse_device("CUDA").error().message,
              "expected none, opencl, cuda or replay:FILE as the device, found 'CUDA'");
    EXPECT_EQ(parse_device("").error().message,
              "expected none, opencl, cuda or replay:FILE as the device, found ''");
    EXPECT_EQ(parse_device("replay").error().message,
              "expected none, opencl, cuda or replay:FILE as the device, found 'replay'");
    EXPECT_EQ(parse_device("replay:").error().message,
              "expected a file of recorded measurements after 'replay:', found nothing");
}

// A tuner records a CUDA device by its name alone, a comparison with the interface.
TEST(RecordedDevice, HasOneTextHoweverItIsRecorded) {
    for (const char *recorded : {"NVIDIA H200", "cuda: NVIDIA H200"}) {
        EXPECT_EQ(text_of_recorded(recorded), "cuda: NVIDIA H200");
        EXPECT_EQ(interface_of_recorded(recorded), RunDevice::cuda);
    }
    EXPECT_EQ(text_of_recorded("opencl: cpu-haswell"), "opencl: cpu-haswell");
    EXPECT_EQ(text_of_recorded("opencl"), "opencl");
    EXPECT_EQ(interface_of_recorded("opencl: cpu-haswell"), RunDevice::opencl);
}

TEST(ParseRunDevice, KnowsThree) {
    for (const char *text : {"cpu", "opencl", "cuda"}) {
        EXPECT_EQ(to_string(*parse_run_device(text)), text);
    }
    EXPECT_EQ(parse_run_device("none").error().message,
              "expected cpu, opencl or cuda as the device, found 'none'");
}

}  // namespace
}  // namespace autoschedule_gpu
