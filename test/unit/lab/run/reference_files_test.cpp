#include "lab/run/reference_files.h"

#include <gtest/gtest.h>

#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

class ReferenceFiles : public ::testing::Test {
protected:
    ReferenceFiles() {
        reference_.arguments = {
            {.name = "input", .kind = ArgumentKind::input, .dimensions = {{-2, 4, 3}, {0, 3, 1}}},
            {.name = "scale", .kind = ArgumentKind::scalar, .scalar_bits = UINT64_MAX},
            {.name = "out.0",
             .kind = ArgumentKind::output,
             .type = {ElementKind::unsigned_integer, 8},
             .dimensions = {{0, 3, 1}}},
            {.name = "out.1", .kind = ArgumentKind::output, .type = {ElementKind::bfloat, 16}}};
    }
    Status write(const std::string &folder) {
        return write_reference(folder, reference_, {bytes_.data(), bytes_.data() + 3});
    }
    void expect_nothing_beside(const std::string &folder) const {
        for (const auto &entry : std::filesystem::directory_iterator(scratch_.path("."))) {
            EXPECT_EQ(entry.path().filename().string(), folder);
        }
    }

    Scratch scratch_;
    Reference reference_{.name = "blur",
                         .target = "host",
                         .seed = 7,
                         .inputs = {{"input", {.least = -1, .greatest = 0.1}}}};
    std::vector<std::byte> bytes_ = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4},
                                     std::byte{5}};
};

TEST_F(ReferenceFiles, AreReadAsTheyWereWritten) {
    ASSERT_TRUE(write(scratch_.path("exp")).ok());
    const auto read = read_reference(scratch_.path("exp"));
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->name, "blur");
    EXPECT_EQ(read->target, "host");
    EXPECT_EQ(read->seed, 7u);
    EXPECT_EQ(read->inputs, reference_.inputs);
    EXPECT_EQ(read->arguments, reference_.arguments);
    const auto first = read_expected_output(scratch_.path("exp"), read->arguments[2]);
    EXPECT_EQ(*first, (std::vector<std::byte>{std::byte{1}, std::byte{2}, std::byte{3}}));
    const auto second = read_expected_output(scratch_.path("exp"), read->arguments[3]);
    EXPECT_EQ(*second, (std::vector<std::byte>{std::byte{4}, std::byte{5}}));
    expect_nothing_beside("exp");
}

TEST_F(ReferenceFiles, ReplaceAnEarlierReferenceAndNothingElse) {
    const std::string folder = scratch_.path("exp") + "/";
    ASSERT_TRUE(write(folder).ok());
    reference_.seed = 8;
    ASSERT_TRUE(write(folder).ok());
    EXPECT_EQ(read_reference(folder)->seed, 8u);
    expect_nothing_beside("exp");

    const Scratch other;
    other.write("precious/file", "x");
    EXPECT_EQ(write(other.path("precious")).error().message,
              other.path("precious") + " is there already and holds no reference");
    EXPECT_EQ(text_of(other.path("precious/file")), "x");
}

TEST_F(ReferenceFiles, AreRefusedWhereTheyAreNotAsTheyShouldBe) {
    const std::string folder = scratch_.path("exp"), file = folder + "/reference.json";
    ASSERT_TRUE(write(folder).ok());
    const std::string good = text_of(file);
    const auto message_with = [&](const std::string &from, const std::string &to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        std::ofstream(file) << text;
        const auto read = read_reference(folder);
        return read ? std::string() : read.error().message;
    };
    EXPECT_EQ(message_with("gpu.reference", "gpu.other"),
              file + ": expected format autoschedule_gpu.reference, version 2");
    EXPECT_NE(message_with("\"uint8\"", "\"uint9\"").find("found 'uint9'"), std::string::npos);
    EXPECT_NE(message_with("\"scalar\"", "\"number\"").find("found 'number'"), std::string::npos);
    EXPECT_NE(message_with("\"stride\": 3", "\"stride\": 5").find("without gaps in 'input'"),
              std::string::npos);
    EXPECT_NE(message_with("-1:0.1", "1:0.1").find("found 'input=1:0.1'"), std::string::npos);
    EXPECT_TRUE(message_with("\"extent\"", "\"length\"").starts_with(file + ": "));
    EXPECT_TRUE(message_with(good.substr(10), "").starts_with(file + ": "));
    EXPECT_FALSE(read_reference(scratch_.path("none")).ok());
}

TEST_F(ReferenceFiles, HoldOutputsOfTheirSize) {
    const std::string folder = scratch_.path("exp");
    ASSERT_TRUE(write(folder).ok());
    std::ofstream(folder + "/out.0.raw") << "12";
    EXPECT_EQ(read_expected_output(folder, reference_.arguments[2]).error().message,
              folder + "/out.0.raw: expected 3 bytes, found 2");
}

TEST(Pack, KeepsTheOrderOfTheStrides) {
    std::vector<Dimension> dimensions = {{0, 10, 3}, {0, 5, 10}, {0, 3, 1}};
    pack(dimensions);
    EXPECT_EQ(dimensions[0].stride, 3);
    EXPECT_EQ(dimensions[1].stride, 30);
    EXPECT_EQ(dimensions[2].stride, 1);
    EXPECT_EQ(storage_order(dimensions), (std::vector<size_t>{2, 0, 1}));
}

}  // namespace
}  // namespace autoschedule_gpu
