#include "core/json/json.h"

#include <gtest/gtest.h>

#include <functional>

#include "core/json/strict_json.h"

namespace autoschedule_gpu {
namespace {

enum class Colour : uint8_t { red, green };

std::string to_string(Colour colour) {
    return colour == Colour::red ? "red" : "green";
}

std::optional<Colour> parse_colour(std::string_view name) {
    if (name == "red") return Colour::red;
    if (name == "green") return Colour::green;
    return std::nullopt;
}

// What `read` refuses; nothing if it takes it all.
std::string refusal(const std::function<void()> &read) {
    try {
        read();
    } catch (const Refusal &refusal) {
        return refusal.message;
    }
    return "";
}

JsonFault fault_of(std::string_view text, int max_depth = 4) {
    try {
        parse_strictly(text, max_depth);
    } catch (const JsonFault &fault) {
        return fault;
    }
    ADD_FAILURE() << "no fault in " << text;
    return {};
}

TEST(StrictJson, NamesAKeyThatComesTwiceAndItsObject) {
    const JsonFault outside = fault_of(R"({"a": 1, "a": 2})");
    EXPECT_EQ(outside.kind, JsonFault::Kind::repeated_key);
    EXPECT_EQ(outside.what, "a");
    const JsonFault inside = fault_of(R"([{"a": 1}, {"a": 1, "b": {"c": 1, "c": 2}}])");
    EXPECT_EQ(inside.what, "c");
    EXPECT_EQ(inside.object, 2);
}

TEST(StrictJson, TakesEqualKeysOfDifferentObjects) {
    EXPECT_EQ(parse_strictly(R"([{"a": {"a": 1}}, {"a": 2}])", 4).size(), 2u);
}

TEST(StrictJson, TakesTheDepthThatIsAllowedAndNoMore) {
    EXPECT_EQ(parse_strictly("[[1]]", 2).size(), 1u);
    EXPECT_EQ(fault_of("[[[[1]]]]", 2).kind, JsonFault::Kind::too_deep);
    EXPECT_EQ(fault_of(std::string(100000, '['), 2).kind, JsonFault::Kind::too_deep);
}

TEST(StrictJson, SaysWhereTextIsNoJson) {
    const JsonFault fault = fault_of("[1,\n 2,, 3]");
    EXPECT_EQ(fault.kind, JsonFault::Kind::no_json);
    EXPECT_EQ(fault.byte, 8u);
    EXPECT_TRUE(refusal([] { parse_json("[1,\n 2,, 3]"); }).starts_with("line 2: expected JSON"));
    EXPECT_EQ(fault_of("[1e999]").byte, std::nullopt);
}

TEST(Fields, RefusesWhatNobodyAskedFor) {
    const Json json = parse_json(R"({"a": 1, "b": 2})");
    EXPECT_EQ(refusal([&] {
                  Fields fields(json, "it");
                  fields.integer("a", 0, 9);
                  fields.finish();
              }),
              "it: found the unknown field \"b\", expected only a");
    EXPECT_EQ(refusal([&] {
                  Fields fields(json, "it");
                  fields.integer("a", 0, 9);
                  fields.find("b");
                  fields.finish();
              }),
              "");
}

TEST(Fields, RefusesAFieldThatIsMissingOrOfAnotherType) {
    const Json json = parse_json(R"({"a": "text", "n": 10})");
    Fields fields(json, "it");
    EXPECT_EQ(refusal([&] { fields.get("b"); }), "it: expected the field \"b\", found none");
    EXPECT_EQ(refusal([&] { fields.integer("n", 0, 9); }),
              "it: expected \"n\" to be an integer in [0, 9], found 10");
    EXPECT_EQ(refusal([&] { fields.text("n"); }), "it: expected \"n\" to be a string, found 10");
    EXPECT_EQ(refusal([&] { fields.array("a"); }),
              "it: expected \"a\" to be an array, found \"text\"");
}

TEST(Fields, ChooseByName) {
    const Json json = parse_json(R"({"good": "green", "bad": "blue"})");
    Fields fields(json, "it");
    EXPECT_EQ(fields.choice<Colour>("good", parse_colour, 2), Colour::green);
    EXPECT_EQ(refusal([&] { fields.choice<Colour>("bad", parse_colour, 2); }),
              "it: expected \"bad\" to be one of red, green, found \"blue\"");
}

TEST(Json, IsDumpedWhateverItsBytes) {
    EXPECT_EQ(dump({{"b", 1}, {"a", "\xff"}}), "{\"b\":1,\"a\":\"\xEF\xBF\xBD\"}");
    EXPECT_EQ(dump(Json::array({1}), 2), "[\n  1\n]");
}

TEST(Json, HasAFormatOnlyWithItsVersion) {
    EXPECT_TRUE(has_format(parse_loosely(R"({"format": "f", "version": 2})"), "f", 2));
    EXPECT_FALSE(has_format(parse_loosely(R"({"format": "f", "version": 1})"), "f", 2));
    EXPECT_FALSE(has_format(parse_loosely(R"({"version": 2})"), "f", 2));
    EXPECT_FALSE(has_format(parse_loosely("[]"), "f", 2));
    EXPECT_FALSE(has_format(parse_loosely("no JSON"), "f", 2));
}

TEST(Json, ReadFieldsMakesAnErrorOfAMissingOne) {
    const auto read = [](const Json &json) { return json.at("a").get<int>(); };
    EXPECT_EQ(read_fields<int>(parse_loosely(R"({"a": 7})"), "bad: ", read).value(), 7);
    for (const char *text : {"{}", R"({"a": "7"})", "[]", "no JSON"}) {
        const Result<int> bad = read_fields<int>(parse_loosely(text), "bad: ", read);
        ASSERT_FALSE(bad) << text;
        EXPECT_TRUE(bad.error().message.starts_with("bad: ")) << text;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
