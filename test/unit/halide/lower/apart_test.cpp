#include "halide/lower/apart.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>

namespace autoschedule_gpu {
namespace {

constexpr double kMostSeconds = 20;

TEST(WorkApart, ReportsAText) {
    const std::string text(100'000, 'x');  // more than a pipe holds
    const ApartOutcome outcome = text_from_child([&] { return text; }, kMostSeconds);
    ASSERT_TRUE(std::holds_alternative<Ended>(outcome));
    EXPECT_EQ(std::get<Ended>(outcome).text, text);
    EXPECT_EQ(std::get<Ended>(outcome).status, 0);
}

TEST(WorkApart, HasEndedThoughAnotherProcessHoldsItsPipeOpen) {
    const auto start = std::chrono::steady_clock::now();
    const ApartOutcome outcome = text_from_child(
        [] {
            // As a process that another thread has forked meanwhile, and that starts no program.
            const pid_t other = fork();
            if (other == 0) {
                sleep(static_cast<unsigned>(kMostSeconds));
                _exit(0);
            }
            return std::to_string(other);
        },
        kMostSeconds);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    ASSERT_TRUE(std::holds_alternative<Ended>(outcome));
    EXPECT_EQ(std::get<Ended>(outcome).status, 0);
    kill(static_cast<pid_t>(std::stol(std::get<Ended>(outcome).text)), SIGKILL);
    EXPECT_LT(taken.count(), kMostSeconds / 2);
}

TEST(WorkApart, IsKilledWhereItsTimeIsUp) {
    const auto hang = [] {
        while (true) pause();
        return std::string();
    };
    EXPECT_TRUE(std::holds_alternative<OutOfTime>(text_from_child(hang, 0.3)));
}

TEST(WorkApart, CountsThoughAnotherIsHeardUntilItsTimeIsUp) {
    const ApartWork hang = [] {
        while (true) pause();
        return std::string();
    };
    const std::vector<ApartOutcome> outcomes =
        texts_from_children({hang, [] { return std::string("done"); }}, 0.5);
    ASSERT_EQ(outcomes.size(), 2u);
    EXPECT_TRUE(std::holds_alternative<OutOfTime>(outcomes[0]));
    ASSERT_TRUE(std::holds_alternative<Ended>(outcomes[1]));
    EXPECT_EQ(std::get<Ended>(outcomes[1]).text, "done");
}

TEST(WorkApart, TellsHowItEnded) {
    const auto crash = [] {
        std::raise(SIGKILL);
        return std::string();
    };
    const ApartOutcome outcome = text_from_child(crash, kMostSeconds);
    ASSERT_TRUE(std::holds_alternative<Ended>(outcome));
    EXPECT_EQ(std::get<Ended>(outcome).text, "");
    EXPECT_EQ(ending_text(std::get<Ended>(outcome).status), "crashed (signal 9)");
}

}  // namespace
}  // namespace autoschedule_gpu
