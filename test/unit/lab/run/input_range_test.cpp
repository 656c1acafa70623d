#include "lab/run/input_range.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

using Texts = std::vector<std::string>;

TEST(InputRanges, SurviveTheirTexts) {
    const InputRanges inputs = {
        {"alpha", {.least = -1, .greatest = 1, .clamp_below = 0}},
        {"input.0", {.least = 0, .greatest = 3, .whole = true}},
        {"weights", {.least = -0.1, .greatest = 1e30}},
        {"zones", {.least = -2, .greatest = 2, .whole = true, .clamp_below = -1}}};
    EXPECT_EQ(to_texts(inputs), (Texts{"alpha=-1:1:clamp_below=0", "input.0=0:3:whole",
                                       "weights=-0.1:1e+30", "zones=-2:2:whole:clamp_below=-1"}));
    EXPECT_EQ(parse_input_ranges(to_texts(inputs)).value(), inputs);
    EXPECT_TRUE(parse_input_ranges({}).value().empty());
}

TEST(InputRanges, AreRefusedInAnotherForm) {
    for (const char *text :
         {"", "x", "x=", "=0:1", "x=1", "x=0:", "x=:1", "x=0:1:", "x=0:1:2", "x=0:1:even",
          "x=0:1:whole:whole", "x=0:1:clamp_below", "x=0:1:clamp_below=", "x=0 :1", "x=0:1x"}) {
        const Result<InputRanges> inputs = parse_input_ranges({text});
        ASSERT_FALSE(inputs) << text;
        EXPECT_EQ(inputs.error().message,
                  "expected NAME=LEAST:GREATEST, :whole or :clamp_below=NUMBER after it, found '" +
                      std::string(text) + "'");
    }
}

TEST(InputRanges, SayWhatIsWrongWithTheirNumbers) {
    const auto message = [](const char *text) {
        const Result<InputRanges> inputs = parse_input_ranges({text});
        return inputs ? "" : inputs.error().message;
    };
    EXPECT_EQ(message("x=1:1"), "expected \"least\" below \"greatest\", found 'x=1:1'");
    EXPECT_EQ(message("x=0:inf"), "expected finite numbers, found 'x=0:inf'");
    EXPECT_EQ(message("x=0:nan"), "expected finite numbers, found 'x=0:nan'");
    EXPECT_EQ(message("x=0:1.5:whole"),
              "expected whole numbers in a range of whole numbers, found 'x=0:1.5:whole'");
    EXPECT_EQ(message("x=0:1:clamp_below=2"),
              "expected \"clamp_below\" of \"least\" or more, and below \"greatest\", found "
              "'x=0:1:clamp_below=2'");
    EXPECT_EQ(parse_input_ranges({"x=0:1", "x=0:1"}).error().message,
              "expected each input once, found 'x' again");
}

}  // namespace
}  // namespace autoschedule_gpu
