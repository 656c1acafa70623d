#include "scheduler/decisions/decision_list.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/decisions/kinds/stage_kinds.h"

namespace autoschedule_gpu {
namespace {

DecisionList example() {
    return {0x00c0ffee00c0ffee,
            Freedom::full,
            {{"blur_y", decision_kind::place, std::string("root"), {std::string("root")}},
             {"blur_y.x", decision_kind::serial, 4, {1, 2, 4, 8}},
             {"blur_y.x", decision_kind::threads, 32, {16, 32, 64}},
             {"sum.update(0).r$x", decision_kind::reduction, std::string("atomic"), {}},
             {"f#7", decision_kind::member_tile, std::string("dealt"), {std::string("dealt")}},
             {"sum", "unroll", std::string("none"), {"none", "all"}}}};
}

constexpr std::string_view kExample = R"({
  "format": "autoschedule_gpu.decisions",
  "version": 1,
  "pipeline": "00c0ffee00c0ffee",
  "freedom": "full",
  "decisions": [
    {"name":"blur_y","kind":"place","value":"root","choices":["root"]},
    {"name":"blur_y.x","kind":"serial","value":4,"choices":[1,2,4,8]},
    {"name":"blur_y.x","kind":"threads","value":32,"choices":[16,32,64]},
    {"name":"sum.update(0).r$x","kind":"reduction","value":"atomic","choices":[]},
    {"name":"f#7","kind":"member_tile","value":"dealt","choices":["dealt"]},
    {"name":"sum","kind":"unroll","value":"none","choices":["none","all"]}
  ]
}
)";

std::string error_of(std::string_view json) {
    const Result<DecisionList> list = parse_decisions(json, stage_kinds());
    return list.ok() ? "accepted" : list.error().message;
}

TEST(DecisionList, HasOneDecisionPerLine) {
    EXPECT_EQ(to_json(example()), kExample);
}

TEST(DecisionList, ComesBackExactly) {
    const Result<DecisionList> back = parse_decisions(kExample, stage_kinds());
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(*back, example());
    EXPECT_EQ(to_json(*back), kExample);
}

TEST(DecisionList, OfNoDecisionsComesBack) {
    const DecisionList none{1, Freedom::root_only, {}};
    const Result<DecisionList> back = parse_decisions(to_json(none), stage_kinds());
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(*back, none);
}

// A list with one decision, given as text.
std::string list_of(const std::string &decision) {
    return R"({"format":"autoschedule_gpu.decisions","version":1,"pipeline":"0000000000000000",)"
           R"("freedom":"full","decisions":[)" +
           decision + "]}";
}

TEST(DecisionList, IsRefusedWithWhereAndWhat) {
    const struct {
        std::string json, message;
    } cases[] = {
        {"[]", "the list: expected an object, found []"},
        {R"({"format":"autoschedule_gpu.trace"})",
         "the list: expected the format \"autoschedule_gpu.decisions\", found "
         "\"autoschedule_gpu.trace\""},
        {R"({"format":"autoschedule_gpu.decisions","version":2})",
         "the list: expected version 1, found 2"},
        {R"({"format":"autoschedule_gpu.decisions","version":1,"pipeline":"12"})",
         "the list: expected \"pipeline\" to be 16 lower-case hexadecimal digits, found \"12\""},
        {R"({"format":"autoschedule_gpu.decisions","version":1,"pipeline":"0000000000000000",)"
         R"("freedom":"none"})",
         "the list: expected \"freedom\" to be one of full, no_fusion, root_only, found \"none\""},
        {list_of("3"), "decision 1: expected an object, found 3"},
        {list_of(R"({"name":"f","kind":"vectorize"})"),
         "decision 1: expected \"kind\" to be one of place, member_tile, reduction, serial, "
         "threads, rows, rfactor, storage, compute_with, sliding, unroll, steps, vectors, "
         "step_vectors, "
         "channel_vectors, pixel_vectors, "
         "multiples, along_stores, loads_ahead, padding, found \"vectorize\""},
        {list_of(R"({"name":"f.x","kind":"serial","value":0,"choices":[]})"),
         "decision 1: expected an integer in [1, 2147483647], found 0"},
        {list_of(R"({"name":"f.x","kind":"threads","value":"8","choices":[]})"),
         "decision 1: expected an integer in [1, 2147483647], found \"8\""},
        {list_of(R"({"name":"f.x","kind":"threads","value":8,"choices":[8,1.5]})"),
         "decision 1: expected an integer in [1, 2147483647], found 1.5"},
        {list_of(R"({"name":"f","kind":"place","value":1,"choices":[]})"),
         "decision 1: expected a string, found 1"},
        {list_of(R"({"name":"f","kind":"place","value":"root"})"),
         "decision 1: expected the field \"choices\", found none"},
        {list_of(R"({"name":"f","kind":"place","value":"root","choices":[],"loop":1})"),
         "decision 1: found the unknown field \"loop\", expected only choices, kind, name, value"},
    };
    for (const auto &c : cases) EXPECT_EQ(error_of(c.json), "bad list of decisions: " + c.message);
}

TEST(DecisionList, SaysThatAKindIsSwitchedOff) {
    StageKinds kinds = stage_kinds();
    std::erase_if(kinds, [](const auto &kind) { return kind->name() == "unroll"; });
    const Result<DecisionList> refused = parse_decisions(kExample, kinds);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message,
              "bad list of decisions: decision 6: expected a kind that is not switched off (leave "
              "it out of autoscheduler.disable_decisions), found \"unroll\"");
}

class AnyNumber final : public StageKind {
public:
    std::string_view name() const override { return "any_number"; }
    std::vector<DecisionValue> choices(const Dag &, const GpuModel &, const KernelPtr &,
                                       StageId) const override {
        return {};
    }
    std::optional<DecisionValue> value(const Kernel &, StageId) const override { return {}; }
    Result<KernelPtr> decide(const Dag &, const KernelPtr &kernel, StageId,
                             const DecisionValue &) const override {
        return kernel;
    }
};

TEST(DecisionList, HasAnyNumbersOfKindsThatLibrariesAdd) {
    using Limits = std::numeric_limits<int64_t>;
    const DecisionList list{
        1, Freedom::full, {{"f", "any_number", -3, {Limits::min(), -3, 0, Limits::max()}}}};
    const StageKinds kinds{std::make_shared<const AnyNumber>()};
    const Result<DecisionList> back = parse_decisions(to_json(list), kinds);
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(*back, list);
    for (const std::string_view number : {"9223372036854775808", "1.5"}) {
        const std::string text = R"({"name":"f","kind":"any_number","choices":[],"value":)";
        const auto refused = parse_decisions(list_of(text + std::string(number) + "}"), kinds);
        ASSERT_FALSE(refused.ok());
        EXPECT_NE(refused.error().message.find("an integer of 64 bits"), std::string::npos);
    }
}

TEST(DecisionList, DamagedInAnyByteIsReadOrRefused) {
    for (size_t i = 0; i < kExample.size(); ++i) {
        for (int bit = 0; bit < 8; ++bit) {
            std::string damaged(kExample);
            damaged[i] = static_cast<char>(damaged[i] ^ 1 << bit);
            const Result<DecisionList> list = parse_decisions(damaged, stage_kinds());
            if (!list) {
                EXPECT_EQ(list.error().message.find("bad list of decisions: "), 0u);
                continue;
            }
            EXPECT_TRUE(parse_decisions(to_json(*list), stage_kinds()).ok()) << damaged;
        }
    }
}

TEST(DecisionList, CutShortIsRefused) {
    for (size_t i = 0; i + 1 < kExample.size(); ++i) {
        EXPECT_NE(error_of(kExample.substr(0, i)), "accepted");
    }
}

}  // namespace
}  // namespace autoschedule_gpu
