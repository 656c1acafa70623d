#include "plugins/autoscheduler/refusal_warning.h"

#include <gtest/gtest.h>

#include <vector>

namespace autoschedule_gpu {
namespace {

const std::vector<RefusedAttempt> kRefused = {
    {Attempt::search, "there would be barriers\nunder conditions", ""},
    {Attempt::search, "another reason", ""}};

TEST(RefusalWarning, SaysWhatIsTakenInsteadAndWhyTheFirstWasRefused) {
    EXPECT_EQ(refusal_warning(kRefused, "search", Instead::whole_reductions),
              "none of the best schedules can be used (2 were refused). The one that is taken "
              "instead has whole reductions only, and may be several times slower. The first was "
              "refused because: there would be barriers [...] (autoscheduler.report=FILE has all "
              "reasons.)");
    for (const Attempt attempt : {Attempt::no_fusion, Attempt::plain, Attempt::host}) {
        EXPECT_TRUE(refusal_warning(kRefused, to_string(attempt), Instead::nothing));
    }
}

TEST(RefusalWarning, IsNoneOfASearchsOwnScheduleOrWhereNoneWasRefused) {
    EXPECT_EQ(refusal_warning(kRefused, "search", Instead::nothing), std::nullopt);
    EXPECT_EQ(refusal_warning({}, "plain", Instead::nothing), std::nullopt);
}

TEST(RefusalWarning, CutsALongReasonShort) {
    const std::vector<RefusedAttempt> lengthy = {{Attempt::search, std::string(500, 'x'), ""}};
    const auto warning = refusal_warning(lengthy, "plain", Instead::nothing);
    ASSERT_TRUE(warning);
    EXPECT_NE(warning->find(std::string(200, 'x') + " [...]"), std::string::npos);
    EXPECT_EQ(warning->find(std::string(201, 'x')), std::string::npos);
}

}  // namespace
}  // namespace autoschedule_gpu
