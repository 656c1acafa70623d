#include "trial/subject.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

const SubjectSource kSource = {.random_generator = "bin/random_pipeline.generator",
                               .work = "large",
                               .applications = {{.name = "blur",
                                                 .generator = "bin/blur.generator",
                                                 .sizes = {{"reduced", {{"width", "90"}}}},
                                                 .tolerance = {.relative = 0.5}},
                                                {.name = "sharpen",
                                                 .generator = "bin/sharpen.generator",
                                                 .sizes = {{"reduced", {{"width", "60"}}}}}},
                               .app_size = "reduced"};

std::vector<std::string> names(const std::string &text) {
    std::vector<std::string> names;
    const std::vector<Subject> subjects = parse_subjects(text, kSource).value();
    for (const Subject &subject : subjects) names.push_back(subject.pipeline);
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
    const auto subjects = parse_subjects("random:3-3+apps:blur", kSource).value();
    EXPECT_EQ(subjects[0].generator, "bin/random_pipeline.generator");
    EXPECT_EQ(subjects[0].generator_name, "random_pipeline");
    EXPECT_EQ(subjects[0].params, (NamedValues{{"seed", "3"}, {"work", "large"}}));
    EXPECT_EQ(subjects[0].size, "large");
    EXPECT_EQ(subjects[1].generator, "bin/blur.generator");
    EXPECT_EQ(subjects[1].generator_name, "blur");
    EXPECT_EQ(subjects[1].params, (NamedValues{{"width", "90"}}));
    EXPECT_EQ(subjects[1].size, "reduced");
    EXPECT_EQ(subjects[1].tolerance.relative, 0.5);
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
        const auto subjects = parse_subjects(c.text, kSource);
        ASSERT_FALSE(subjects) << c.text;
        EXPECT_NE(subjects.error().message.find(c.message), std::string::npos)
            << subjects.error().message;
    }
    SubjectSource other = kSource;
    other.app_size = "huge";
    EXPECT_NE(parse_subjects("apps", other).error().message.find("'huge'"), std::string::npos);
}

}  // namespace
}  // namespace autoschedule_gpu
