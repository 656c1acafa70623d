#include "scheduler/search/work_ahead.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>

namespace autoschedule_gpu {
namespace {

// Each piece adds its number to a sum that some of them change; others are told what it was.
struct Told {
    int threads;
    std::vector<size_t> changing;
    std::optional<size_t> last = {};  // after which nothing is taken
    size_t most = 0;                  // ahead; 0: one for each thread
};

std::string told(const Told &how) {
    ThreadPool pool(how.threads);
    std::string said;
    size_t sum = 0;
    const auto changes = [&](size_t made) {
        return std::ranges::find(how.changing, made % 100) != how.changing.end();
    };
    const auto work = [&](size_t piece, size_t) { return sum + piece; };
    const auto take = [&](size_t piece, size_t made) {
        said += std::to_string(made) + " ";
        if (how.last == piece) return GoOn::not_at_all;
        if (!changes(piece)) return GoOn::with_next;
        sum += 100;
        return GoOn::with_redone;
    };
    if (how.most == 0) {
        work_ahead(pool, 6, work, take);
    } else {
        work_ahead(pool, 6, how.most, work, changes, take);
    }
    return said;
}

TEST(WorkAhead, IsTakenInOrder) {
    for (int threads : {1, 2, 4, 16}) EXPECT_EQ(told({threads, {}}), "0 1 2 3 4 5 ");
}

TEST(WorkAhead, IsMadeAgainAfterAChange) {
    for (int threads : {1, 2, 4, 16}) {
        EXPECT_EQ(told({threads, {0, 3}}), "0 101 102 103 204 205 ") << threads;
        EXPECT_EQ(told({threads, {5}}), "0 1 2 3 4 5 ") << threads;
    }
}

TEST(WorkAhead, EndsWhereSomethingSaysSo) {
    for (int threads : {1, 2, 4, 16}) EXPECT_EQ(told({threads, {1}, 2}), "0 1 102 ") << threads;
}

TEST(WorkAhead, IsTheSameHoweverFarAhead) {
    for (int threads : {1, 2, 4}) {
        for (size_t most : {1, 3, 8}) {
            EXPECT_EQ(told({threads, {0, 3}, {}, most}), "0 101 102 103 204 205 ");
            EXPECT_EQ(told({threads, {1}, 2, most}), "0 1 102 ");
        }
    }
}

TEST(WorkAhead, BeginsNothingAfterAChange) {
    ThreadPool pool(1);
    std::string begun;
    work_ahead(
        pool, 4, 8,
        [&](size_t piece, size_t) {
            begun += std::to_string(piece) + " ";
            return piece;
        },
        [](size_t made) { return made == 1; },
        [](size_t, size_t made) { return made == 1 ? GoOn::with_redone : GoOn::with_next; });
    EXPECT_EQ(begun, "0 1 2 3 ");
}

TEST(WorkAhead, HasNoTwoPiecesInOneLane) {
    ThreadPool pool(4);
    std::vector<std::atomic<int>> busy(4);
    work_ahead(
        pool, 100, 20,
        [&](size_t, size_t lane) {
            EXPECT_LT(lane, busy.size());
            const bool is_alone = busy[lane].fetch_add(1) == 0;
            busy[lane].fetch_sub(1);
            return is_alone;
        },
        [](bool) { return false; },
        [](size_t, bool is_alone) {
            EXPECT_TRUE(is_alone);
            return GoOn::with_next;
        });
}

}  // namespace
}  // namespace autoschedule_gpu
