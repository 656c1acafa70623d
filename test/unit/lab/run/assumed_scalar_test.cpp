#include "lab/run/assumed_scalar.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

double assumed(const char *type, ScalarRange range = {}) {
    return assumed_value(parse_element_type(type).value(), range);
}

TEST(AssumedScalar, IsNeitherZeroNorOneWhereItsTypeHasMore) {
    EXPECT_EQ(assumed("float16"), 0.75);
    EXPECT_EQ(assumed("float64"), 0.75);
    EXPECT_EQ(assumed("int8"), 2);
    EXPECT_EQ(assumed("uint64"), 2);
    EXPECT_EQ(assumed("bool"), 1);
    EXPECT_EQ(assumed("handle64"), 0);
}

TEST(AssumedScalar, LiesInTheRangeThatIsDeclared) {
    struct Case {
        const char *type;
        ScalarRange range;
        double expected;
    };
    for (const Case &c :
         {Case{"int32", {.least = -4, .greatest = 8}, 2}, Case{"int32", {.least = 16}, 16},
          Case{"float32", {.greatest = 0.5}, 0.5}, Case{"float32", {.least = -1}, 0.75},
          // Not the end that hides errors.
          Case{"float32", {.least = 1, .greatest = 4}, 4},
          Case{"int32", {.least = -5, .greatest = 0}, -5},
          Case{"uint8", {.least = 0, .greatest = 1}, 1}}) {
        EXPECT_EQ(assumed(c.type, c.range), c.expected) << c.type;
    }
}

TEST(AssumedScalar, SaysHowToSetIt) {
    EXPECT_EQ(describe(AssumedScalar{.name = "gain", .value = "0.75"}),
              "gain has no estimate, 0.75 is assumed in all runs: gain.set_estimate(value) says "
              "what to run with");
}

}  // namespace
}  // namespace autoschedule_gpu
