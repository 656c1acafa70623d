#include "learn/collect/failures_file.h"

#include <gtest/gtest.h>

#include "example_draws.h"
#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

class MissLog : public ::testing::Test {
protected:
    Scratch scratch_;
    std::string path_ = scratch_.path("failures.jsonl");
    const FailedDraw crash_ = failed_draw(example_workload("random:1"), {"size=small seed=1"});
    const FailedDraw duplicate_ = {.pipeline = "app:harris",
                                   .schedule = "size=reduced seed=2",
                                   .reason = "the code of another \"schedule\"\n"};
};

TEST_F(MissLog, GivesBackWhatWasWritten) {
    EXPECT_TRUE(read_failed_draws(path_).value().empty());
    ASSERT_TRUE(append_failed_draw(path_, crash_));
    ASSERT_TRUE(append_failed_draw(path_, duplicate_));
    EXPECT_EQ(read_failed_draws(path_).value(), (std::vector<FailedDraw>{crash_, duplicate_}));
}

TEST_F(MissLog, LosesOnlyTheLineThatAKilledWriterLeft) {
    ASSERT_TRUE(append_failed_draw(path_, crash_));
    const std::string whole = text_of(path_);
    scratch_.write("failures.jsonl", whole + to_json(duplicate_).substr(0, 30));
    EXPECT_EQ(read_failed_draws(path_).value(), std::vector<FailedDraw>{crash_});
    EXPECT_EQ(text_of(path_), whole);
    ASSERT_TRUE(append_failed_draw(path_, duplicate_));
    EXPECT_EQ(read_failed_draws(path_).value().size(), 2u);
}

TEST_F(MissLog, NamesALineThatIsNone) {
    const std::string good = to_json(crash_) + "\n";
    const auto with = [&](std::string_view part, std::string_view other) {
        std::string text = to_json(crash_);
        return text.replace(text.find(part), part.size(), other) + "\n";
    };
    for (const std::string &bad :
         {std::string("[]\n"), with("\"crash\"", "\"tired\""), with("\"kind\"", "\"kinds\""),
          with("\"random:1\"", "3"), with("0abc", "0abx"), with("\"000000", "\"")}) {
        scratch_.write("failures.jsonl", good + bad + good);
        const auto draws = read_failed_draws(path_);
        ASSERT_FALSE(draws) << bad;
        EXPECT_TRUE(draws.error().message.starts_with(path_ + ": line 2: "))
            << draws.error().message;
        EXPECT_EQ(text_of(path_), good + bad + good);
    }
}

TEST_F(MissLog, SaysWhenItCannotBeWritten) {
    EXPECT_FALSE(append_failed_draw(scratch_.path("no/such/folder"), crash_));
}

}  // namespace
}  // namespace autoschedule_gpu
