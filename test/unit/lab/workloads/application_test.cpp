#include "lab/workloads/application.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

constexpr const char *kText = R"({"sizes": {"full": {"width": 1536, "layout": "nchw", "wide": true},
                                            "reduced": {"width": 64}},
                                  "float_tolerance": 0.001, "integer_steps": 2})";

TEST(Application, SizesAreSetsOfGeneratorParams) {
    const Result<Application> application = parse_application(kText);
    ASSERT_TRUE(application) << application.error().message;
    const NamedValues full = {{"width", "1536"}, {"layout", "nchw"}, {"wide", "true"}};
    EXPECT_EQ(size_parameters(*application, "full").value(), full);
    EXPECT_EQ(application->tolerance.relative, 0.001);
    EXPECT_EQ(application->tolerance.integer_steps, 2);
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
