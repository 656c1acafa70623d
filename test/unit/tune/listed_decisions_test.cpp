#include "tune/strategies/listed_decisions.h"

#include <gtest/gtest.h>

#include "core/json/json.h"

namespace autoschedule_gpu {
namespace {

// Of three Funcs, and of a reduction that could be taken apart; `threads` is of the first.
std::string list_of(const std::string &threads, const std::string &place_of_b,
                    const std::string &rfactor_of_a = "none") {
    return R"J({"format": "autoschedule_gpu.decisions", "version": 1,
  "pipeline": "00c0ffee00c0ffee", "freedom": "full", "decisions": [
    {"name": "a.update(0)", "kind": "rfactor", "value": ")J" +
           rfactor_of_a + R"J(", "choices": ["none", "32"]},
    {"name": "a", "kind": "place", "value": "root", "choices": ["root"]},
    {"name": "a.x", "kind": "threads", "value": )J" +
           threads + R"J(, "choices": [16, 32, 64]},
    {"name": "b", "kind": "place", "value": ")J" +
           place_of_b + R"J(", "choices": ["inline", "root"]},
    {"name": "c", "kind": "place", "value": "inline", "choices": ["inline", "root"]}]})J";
}

ListedDecisions parsed(const std::string &text) {
    return ListedDecisions::parse(text).value();
}

TEST(ListedDecisions, AreWrittenAsTheyWereRead) {
    const std::string text = list_of("32", "root");
    EXPECT_EQ(Json::parse(parsed(text).json()), Json::parse(text));
    EXPECT_EQ(parsed(text).json().find('\n'), std::string::npos);
}

TEST(ListedDecisions, ChangeByAChoice) {
    ListedDecisions list = parsed(list_of("32", "root"));
    EXPECT_EQ(list.decisions()[2].value(), "32");
    EXPECT_TRUE(list.decisions()[2].is_size);
    list.choose(2, 2);
    list.choose(3, 0);
    EXPECT_EQ(Json::parse(list.json()), Json::parse(list_of("64", "inline")));
}

TEST(ListedDecisions, AValueThatIsNoChoiceStays) {
    const ListedDecisions list = parsed(list_of("48", "root"));
    EXPECT_FALSE(list.decisions()[2].is_open());
    EXPECT_EQ(list.decisions()[2].value(), "48");
}

TEST(ListedDecisions, OfAFuncBeginWithItsPlaceAndHaveWhatIsDecidedOfItAhead) {
    const auto funcs = parsed(list_of("32", "root")).funcs();
    ASSERT_EQ(funcs.size(), 3u);
    EXPECT_EQ(funcs[0], (ListedDecisions::OfFunc{1, 2, 0}));
    EXPECT_EQ(funcs[1], ListedDecisions::OfFunc{3});
    EXPECT_EQ(funcs[2], ListedDecisions::OfFunc{4});
}

TEST(ListedDecisions, OfNoFuncAreNobodys) {
    const auto funcs = parsed(R"J({"decisions": [
        {"name": "b.update(0)", "kind": "rfactor", "value": "none", "choices": ["none", "32"]},
        {"name": "a", "kind": "place", "value": "root", "choices": ["root"]}]})J")
                           .funcs();
    ASSERT_EQ(funcs.size(), 1u);
    EXPECT_EQ(funcs[0], ListedDecisions::OfFunc{1});
}

TEST(ListedDecisions, TakeFuncsOfAnotherList) {
    const ListedDecisions ours = parsed(list_of("16", "inline")),
                          theirs = parsed(list_of("64", "root"));
    EXPECT_EQ(ours.with_funcs_of(theirs, 0, 0).json(), ours.json());
    EXPECT_EQ(ours.with_funcs_of(theirs, 0, 3).json(), theirs.json());
    EXPECT_EQ(Json::parse(ours.with_funcs_of(theirs, 1, 2).json()),
              Json::parse(list_of("16", "root")));
}

TEST(ListedDecisions, TakeHowReductionsAreTakenApartWithTheirFunc) {
    const ListedDecisions ours = parsed(list_of("16", "inline")),
                          theirs = parsed(list_of("64", "root", "32"));
    EXPECT_EQ(ours.with_funcs_of(theirs, 0, 3).json(), theirs.json());
    EXPECT_EQ(theirs.with_funcs_of(ours, 0, 3).json(), ours.json());
    EXPECT_EQ(Json::parse(ours.with_funcs_of(theirs, 0, 1).json()),
              Json::parse(list_of("64", "inline", "32")));
    EXPECT_EQ(Json::parse(ours.with_funcs_of(theirs, 1, 3).json()),
              Json::parse(list_of("16", "root")));
}

TEST(ListedDecisions, KeepFuncsThatTheOtherListHasNot) {
    const ListedDecisions ours = parsed(list_of("16", "root"));
    const ListedDecisions other = parsed(
        R"J({"decisions": [{"name": "b", "kind": "place", "value": "inline",
            "choices": ["inline", "root"]},
           {"name": "d", "kind": "place", "value": "root", "choices": ["root"]}]})J");
    EXPECT_EQ(Json::parse(ours.with_funcs_of(other, 0, 3).json()),
              Json::parse(list_of("16", "inline")));
}

TEST(ListedDecisions, RefuseWhatIsNoList) {
    for (const char *text :
         {"", "{", "[]", "{}", R"J({"decisions": 3})J", R"J({"decisions": [3]})J",
          R"J({"decisions": [{"name": "x", "kind": "serial", "value": 1}]})J"}) {
        EXPECT_FALSE(ListedDecisions::parse(text)) << text;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
