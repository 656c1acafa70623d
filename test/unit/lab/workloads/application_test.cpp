#include "lab/workloads/application.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

constexpr const char *kText = R"({"sizes": {"full": {"width": 1536, "layout": "nchw", "wide": true},
                                            "reduced": {"width": 64}},
                                  "float_tolerance": 0.001, "integer_steps": 2,
                                  "inputs": {"a": {"least": -1, "greatest": 0.5},
                                             "b": {"least": 0, "greatest": 3, "whole": true},
                                             "c": {"least": -1, "greatest": 1,
                                                   "clamp_below": 0}}})";

TEST(Application, SizesAreSetsOfGeneratorParams) {
    const Result<Application> application = parse_application(kText);
    ASSERT_TRUE(application) << application.error().message;
    const NamedValues full = {{"width", "1536"}, {"layout", "nchw"}, {"wide", "true"}};
    EXPECT_EQ(size_parameters(*application, "full").value(), full);
    EXPECT_EQ(application->tolerance.relative, 0.001);
    EXPECT_EQ(application->tolerance.integer_steps, 2);
    EXPECT_EQ(application->inputs,
              (InputRanges{{"a", {.least = -1, .greatest = 0.5}},
                           {"b", {.least = 0, .greatest = 3, .whole = true}},
                           {"c", {.least = -1, .greatest = 1, .clamp_below = 0}}}));
}

TEST(Application, AnUnknownSizeIsAnErrorThatListsTheSizes) {
    const Result<Application> application = parse_application(kText);
    ASSERT_TRUE(application);
    const Result<NamedValues> size = size_parameters(*application, "huge");
    ASSERT_FALSE(size);
    EXPECT_NE(size.error().message.find("'huge'; it has: full, reduced"), std::string::npos)
        << size.error().message;
}

TEST(Application, WhatIsNoDescriptionIsRefused) {
    for (const char *text :
         {"", "[]", "{}", R"({"sizes": {}})", R"({"sizes": {"full": 3}})",
          R"({"sizes": {"full": {"width": [1]}}})", R"({"sizes": {"full": {}}, "tolerance": 1})",
          R"({"sizes": {"full": {}}, "float_tolerance": -1})",
          R"({"sizes": {"full": {}}, "integer_steps": -1})",
          R"({"sizes": {"full": {}}, "integer_steps": 0.5})"}) {
        EXPECT_FALSE(parse_application(text)) << text;
    }
}

TEST(Application, WhatIsWrongIsNamedWithWhatWasExpected) {
    struct Case {
        std::string text, message;
    };
    const auto with = [](const std::string &more) {
        return R"({"sizes": {"full": {}}, )" + more + "}";
    };
    for (const Case &c : {
             Case{"{\n  \"sizes\": {\"full\": {}}\n  \"inputs\": {}\n}",
                  "line 3: expected JSON, found text that is none"},
             Case{R"({"sizes": {"full": {}, "full": {"width": 3}}})",
                  R"(expected each field once, found "full" again)"},
             Case{with(R"("float_tolerance": "1e-3")"),
                  R"("float_tolerance" to be a number, found "1e-3")"},
             Case{with(R"("float_tolerance": 2)"), R"("float_tolerance" to be from 0 to 1)"},
             Case{with(R"("integer_steps": 18446744073709551615)"),
                  R"("integer_steps" to be an integer in [0, 4294967296], found 1844674)"},
             Case{with(R"("tolerance": 1)"),
                  R"(found the unknown field "tolerance", expected only )"},
             Case{R"({"sizes": [1]})", R"("sizes" to be an object, found [1])"},
             Case{R"({"sizes": {"full": {"width": [1]}}})",
                  R"(the size "full": expected "width" to be a number, a string, true or false)"},
             Case{with(R"("inputs": {"a": {"least": 0}})"),
                  R"(the input "a": expected the field "greatest", found none)"},
             Case{with(R"("inputs": {"a": {"least": 1, "greatest": 0}})"),
                  R"(the input "a": expected "least" below "greatest", found {"least":1)"},
             Case{with(R"("inputs": {"a": {"least": 0, "greatest": 1, "whole": 1}})"),
                  R"("whole" to be true or false, found 1)"},
             Case{with(R"("inputs": {"a": {"least": 0, "greatest": 1, "zeros": 1}})"),
                  R"(found the unknown field "zeros")"},
         }) {
        const Result<Application> application = parse_application(c.text);
        ASSERT_FALSE(application) << c.text;
        EXPECT_NE(application.error().message.find(c.message), std::string::npos)
            << application.error().message;
    }
}

TEST(Application, ChoosingKeepsTheOrderAndTakesEachOnce) {
    const std::vector<Application> all = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
    EXPECT_EQ(choose_applications(all, "all").value().size(), 3u);
    const std::vector<Application> chosen = choose_applications(all, "c,a,c").value();
    ASSERT_EQ(chosen.size(), 2u);
    EXPECT_EQ(chosen[0].name, "c");
    EXPECT_EQ(chosen[1].name, "a");
    EXPECT_FALSE(choose_applications(all, "a,d"));
    EXPECT_FALSE(choose_applications(all, ""));
}

TEST(Application, AFolderWithoutApplicationsIsAnError) {
    EXPECT_EQ(find_applications("/no/such/folder", "/no/such/folder").error().message,
              "can't read the folder of applications /no/such/folder: No such file or directory");
}

}  // namespace
}  // namespace autoschedule_gpu
