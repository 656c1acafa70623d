#include "lab/workloads/workload.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

const WorkloadSource kSource = {.random_generator = "bin/random_pipeline.generator",
                                .work = "large",
                                .applications = {{.name = "blur",
                                                  .generator = "bin/blur.generator",
                                                  .sizes = {{"reduced", {{"width", "90"}}}},
                                                  .tolerance = {.relative = 0.5},
                                                  .inputs = {{"input", {.greatest = 9}}}},
                                                 {.name = "sharpen",
                                                  .generator = "bin/sharpen.generator",
                                                  .sizes = {{"reduced", {{"width", "60"}}}}}},
                                .app_size = "reduced"};

std::vector<std::string> names(const std::string &text) {
    std::vector<std::string> names;
    const std::vector<Workload> workloads = parse_workloads(text, kSource).value();
    for (const Workload &workload : workloads) names.push_back(workload.pipeline);
    return names;
}

using Names = std::vector<std::string>;

TEST(ParseSubjects, KnowsSeedsAndApplications) {
    EXPECT_EQ(names("random:2"), (Names{"random:0", "random:1"}));
    EXPECT_EQ(names("random:7-8"), (Names{"random:7", "random:8"}));
    EXPECT_EQ(names("apps"), (Names{"app:blur", "app:sharpen"}));
    EXPECT_EQ(names("apps:sharpen+random:1"), (Names{"app:sharpen", "random:0"}));
    EXPECT_EQ(names("both").size(), 102u);
}

TEST(ParseSubjects, TakesWhatIsNamedTwiceOnce) {
    EXPECT_EQ(names("random:2+random:1-2"), (Names{"random:0", "random:1", "random:2"}));
}

TEST(ParseSubjects, SaysHowEachIsMade) {
    const auto workloads = parse_workloads("random:3-3+apps:blur", kSource).value();
    EXPECT_EQ(workloads[0].generator, "bin/random_pipeline.generator");
    EXPECT_EQ(workloads[0].generator_name, "random_pipeline");
    EXPECT_EQ(workloads[0].params, (NamedValues{{"seed", "3"}, {"work", "large"}}));
    EXPECT_EQ(workloads[0].size, "large");
    EXPECT_EQ(workloads[1].generator, "bin/blur.generator");
    EXPECT_EQ(workloads[1].generator_name, "blur");
    EXPECT_EQ(workloads[1].params, (NamedValues{{"width", "90"}}));
    EXPECT_EQ(workloads[1].size, "reduced");
    EXPECT_EQ(workloads[1].tolerance.relative, 0.5);
    EXPECT_EQ(workloads[1].inputs, kSource.applications[0].inputs);
}

TEST(ParseSubjects, NamesWhatItCannotRead) {
    struct Case {
        const char *text;
        const char *message;
    };
    for (const Case &c : {Case{"", "no pipeline was named"}, Case{"random:0", "'random:0'"},
                          Case{"random:x", "'random:x'"}, Case{"random:5-4", "'random:5-4'"},
                          Case{"random:-3", "'random:-3'"}, Case{"random:3x", "'random:3x'"},
                          Case{"apps:luck", "blur, sharpen"}, Case{"appsblur", "'appsblur'"},
                          Case{"random:1+dice", "'dice'"}}) {
        const auto workloads = parse_workloads(c.text, kSource);
        ASSERT_FALSE(workloads) << c.text;
        EXPECT_NE(workloads.error().message.find(c.message), std::string::npos)
            << workloads.error().message;
    }
    WorkloadSource other = kSource;
    other.app_size = "huge";
    EXPECT_NE(parse_workloads("apps", other).error().message.find("'huge'"), std::string::npos);
}

}  // namespace
}  // namespace autoschedule_gpu
