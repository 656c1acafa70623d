#include "lab/build/failure.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

TEST(FailureKind, IsFoundByItsName) {
    for (size_t i = 0; i < kFailureKindNames.size(); i++) {
        const auto kind = static_cast<FailureKind>(i);
        EXPECT_EQ(find_failure_kind(to_string(kind)), kind);
    }
    EXPECT_EQ(to_string(FailureKind::crash), "crash");
    EXPECT_EQ(to_string(FailureKind::lost), "lost");
    EXPECT_EQ(to_string(FailureKind::wrong_output), "wrong output");
    EXPECT_EQ(to_string(FailureKind::halide), "Halide");
    EXPECT_FALSE(find_failure_kind("wrong_output"));
    EXPECT_FALSE(find_failure_kind(""));
}

TEST(FailureKind, IsProvisionalWhereItSaysNothingOfTheCandidate) {
    EXPECT_TRUE(is_provisional(FailureKind::setup));
    EXPECT_TRUE(is_provisional(FailureKind::lost));
    EXPECT_FALSE(is_provisional(FailureKind::timeout));
    EXPECT_FALSE(is_provisional(FailureKind::noise));
}

TEST(Outcome, HoldsAValueOrAFailure) {
    const Outcome<int> good(3);
    EXPECT_TRUE(good.ok());
    EXPECT_EQ(*good, 3);
    EXPECT_THROW(static_cast<void>(good.error()), std::logic_error);
    const Outcome<int> bad(Failure{.kind = FailureKind::launch, .reason = "too many threads"});
    EXPECT_FALSE(bad);
    EXPECT_EQ(bad.error().kind, FailureKind::launch);
    EXPECT_THROW(static_cast<void>(bad.value()), std::logic_error);
}

}  // namespace
}  // namespace autoschedule_gpu
