#include "core/support/error.h"

#include <gtest/gtest.h>

#include <memory>

namespace autoschedule_gpu {
namespace {

Result<int> half_of(int value) {
    if (value % 2 != 0) return Error{std::to_string(value) + " is odd."};
    return value / 2;
}

TEST(Result, HoldsAValue) {
    const Result<int> result = half_of(4);
    EXPECT_TRUE(result.ok());
    EXPECT_TRUE(static_cast<bool>(result));
    EXPECT_EQ(*result, 2);
    EXPECT_EQ(result.value(), 2);
}

TEST(Result, HoldsAnError) {
    const Result<int> result = half_of(3);
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(result.error().message, "3 is odd.");
}

TEST(Result, ThrowsWhenAskedForWhatItDoesNotHold) {
    EXPECT_THROW((void)half_of(4).error(), std::logic_error);
    EXPECT_THROW((void)half_of(3).value(), std::logic_error);
    const Result<int> error = half_of(3);
    EXPECT_THROW((void)*error, std::logic_error);
    try {
        (void)error.value();
    } catch (const std::logic_error &e) {
        EXPECT_NE(std::string(e.what()).find("3 is odd."), std::string::npos);
    }
}

TEST(Result, GivesItsValueAwayWhenItIsATemporary) {
    Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
    const std::unique_ptr<int> owned = std::move(result).value();
    EXPECT_EQ(*owned, 5);
}

TEST(Result, ReachesThroughToMembers) {
    const Result<std::string> text = std::string("abc");
    EXPECT_EQ(text->size(), 3u);
}

TEST(Status, IsOkOrAnError) {
    const Status good = Ok{}, bad = Error{"No."};
    EXPECT_TRUE(good.ok());
    EXPECT_FALSE(bad.ok());
}

}  // namespace
}  // namespace autoschedule_gpu
