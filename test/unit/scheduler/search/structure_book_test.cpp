#include "scheduler/search/structure_book.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

TEST(StructureBook, HasNothingAgainstTheUnknown) {
    const StructureBook book;
    EXPECT_EQ(book.penalty(0, 1), 1);
}

TEST(StructureBook, PenalisesWhatLedNowhereAndWhatLedToLess) {
    StructureBook book;
    book.begin_pass();
    const auto good = book.enter(StructureBook::kStart, 0, 10);
    const auto fair = book.enter(StructureBook::kStart, 0, 11);
    book.enter(StructureBook::kStart, 0, 12);
    const auto good_end = book.enter(good, 1, 20);
    const auto fair_end = book.enter(fair, 1, 21);
    EXPECT_EQ(book.penalty(0, 12), 1) << "nothing is complete yet";
    book.finish(good_end, 100);
    book.finish(fair_end, 120);
    EXPECT_EQ(book.penalty(0, 10), 1);
    EXPECT_EQ(book.penalty(1, 20), 1);
    EXPECT_DOUBLE_EQ(book.penalty(0, 11), 1.2);
    EXPECT_DOUBLE_EQ(book.penalty(1, 21), 1.2);
    EXPECT_EQ(book.penalty(0, 12), StructureBook::kMostPenalty);
    EXPECT_EQ(book.penalty(1, 12), 1) << "the same structure at another step";
}

TEST(StructureBook, RemembersTheBestOfAllPasses) {
    StructureBook book;
    book.begin_pass();
    book.finish(book.enter(StructureBook::kStart, 0, 10), 130);
    book.begin_pass();
    book.finish(book.enter(StructureBook::kStart, 0, 11), 100);
    EXPECT_DOUBLE_EQ(book.penalty(0, 10), 1.3);
    book.finish(book.enter(StructureBook::kStart, 0, 10), 100);
    EXPECT_EQ(book.penalty(0, 10), 1);
    book.finish(book.enter(StructureBook::kStart, 0, 10), 110);
    EXPECT_EQ(book.penalty(0, 10), 1) << "a worse end of the same beginning";
}

}  // namespace
}  // namespace autoschedule_gpu
