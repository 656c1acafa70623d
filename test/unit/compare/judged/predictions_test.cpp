#include "compare/judged/predictions.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

// One whose list has none of the later kinds of decisions.
SimulatedSchedule example_schedule() {
    return {.application = "mat_mul",
            .schedule = "greedy",
            .generator_parameters = {"M=128"},
            .decisions = R"({"decisions": []})",
            .cycles = 1};
}

TEST(Predictions, AreOfParametersThatJudgesDoNotSetThemselves) {
    EXPECT_TRUE(check_parameters({}));
    EXPECT_TRUE(check_parameters({{"model", "analytical"}, {"weights_path", "w"}}));
    const Status refused = check_parameters({{"model", "roofline"}, {"gpu", "A100"}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "the parameter 'gpu' is not free: this program sets it");
    EXPECT_FALSE(check_parameters({{"report", "r.json"}}));
}

TEST(Predictions, SetEachParameterOnceWhereTheUsersAreFree) {
    const Scratch scratch;
    const JudgeRequest request{.data = "data",
                               .generators = "bin",
                               .plugin = "p.so",
                               .parameters = {{"model", "analytical"}},
                               .limits = {}};
    const Outcome<Candidate> made = candidate_of(request, example_schedule(), scratch.path(""));
    ASSERT_TRUE(made) << made.error().reason;
    for (const auto &[name, value] : made->scheduler_params) {
        EXPECT_EQ(std::ranges::count(made->scheduler_params, name,
                                     [](const auto &parameter) { return parameter.first; }),
                  1)
            << name;
        EXPECT_EQ(name != "model", !check_parameters(NamedValues{{name, value}}).ok())
            << name << " is set by the judge, so users may not";
    }
}

}  // namespace
}  // namespace autoschedule_gpu
