#include "tune/strategies/neighbours.h"

#include <gtest/gtest.h>

#include "core/json/json.h"

namespace autoschedule_gpu {
namespace {

constexpr const char *kList = R"({"format": "autoschedule_gpu.decisions", "version": 1,
  "pipeline": "00c0ffee00c0ffee", "decisions": [
    {"name": "blur_x", "kind": "place", "value": "root",
     "choices": ["inline", "root", "block of blur_y"]},
    {"name": "blur_y.x", "kind": "serial", "value": 2, "choices": [1, 2, 4, 8]},
    {"name": "blur_y.x", "kind": "threads", "value": 64, "choices": [16, 32, 64]},
    {"name": "blur_y", "kind": "unroll", "value": "all", "choices": ["none", "tile", "all"]}]})";

std::vector<std::string> texts(const std::vector<Neighbour> &neighbours) {
    std::vector<std::string> result;
    for (const Neighbour &n : neighbours) result.push_back(n.what + ": " + n.from + " to " + n.to);
    return result;
}

TEST(NeighboursOf, DifferInOneDecisionByOneStepOfASizeOrByAnyName) {
    const std::vector<Neighbour> neighbours = neighbours_of(kList).value();
    EXPECT_EQ(
        texts(neighbours),
        (std::vector<std::string>{
            "blur_x place: root to inline", "blur_x place: root to block of blur_y",
            "blur_y.x serial: 2 to 1", "blur_y.x serial: 2 to 4", "blur_y.x threads: 64 to 32",
            "blur_y unroll: all to none", "blur_y unroll: all to tile"}));
    EXPECT_EQ(neighbours[1].direction, 0);
    EXPECT_EQ(neighbours[2].direction, -1);
    EXPECT_EQ(neighbours[3].direction, 1);
    Json expected = Json::parse(kList);
    expected["decisions"][1]["value"] = 4;
    EXPECT_EQ(Json::parse(neighbours[3].decisions), expected);
}

TEST(Beyond, GoesOnInTheSameDirection) {
    const std::vector<Neighbour> neighbours = neighbours_of(kList).value();
    const auto value = [](const std::optional<std::string> &list, size_t decision) {
        return Json::parse(list.value())["decisions"][decision]["value"];
    };
    EXPECT_EQ(value(beyond(neighbours[3].decisions, neighbours[3]), 1), 8);   // 2 to 4
    EXPECT_FALSE(beyond(neighbours[2].decisions, neighbours[2]));             // 2 to 1
    EXPECT_EQ(value(beyond(neighbours[4].decisions, neighbours[4]), 2), 16);  // 64 to 32
    EXPECT_FALSE(beyond(neighbours[0].decisions, neighbours[0]));             // names have none
}

TEST(NeighboursOf, RefusesWhatIsNoList) {
    for (const char *text : {"", "{", "[]", "{}", R"({"decisions": 3})", R"({"decisions": [3]})",
                             R"({"decisions": [{"name": "x", "kind": "serial", "value": 1}]})",
                             R"({"decisions": [{"value": 1, "choices": [1, 2]}]})"}) {
        EXPECT_FALSE(neighbours_of(text) && !neighbours_of(text)->empty()) << text;
    }
    EXPECT_FALSE(neighbours_of("nonsense"));
    EXPECT_FALSE(neighbours_of(R"({"decisions": [3]})"));
}

TEST(DrawOfDecisions, IsNamedByTheContent) {
    const ScheduleRequest draw = request_of_decisions(kList);
    EXPECT_EQ(draw.schedule.size(), std::string("decisions ").size() + 16);
    EXPECT_EQ(draw.files, (NamedValues{{"decisions", kList}}));
    EXPECT_NE(request_of_decisions("other").schedule, draw.schedule);
}

}  // namespace
}  // namespace autoschedule_gpu
