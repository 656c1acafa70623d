#include "present/text.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

using Lines = std::vector<std::string>;

TEST(CleanText, KeepsWhatCanBeShown) {
    EXPECT_EQ(clean_text("a  b -o \"c\" ü € 𝄞"), "a  b -o \"c\" ü € 𝄞");
    EXPECT_EQ(clean_text(""), "");
}

TEST(CleanText, PutsEverythingOnOneLine) {
    EXPECT_EQ(clean_text("a\nb\r\n\tc"), "a b   c");
}

TEST(CleanText, DropsWhatATerminalWouldObey) {
    EXPECT_EQ(clean_text("\x1b[31mred\x07\x7f"), "[31mred");
    EXPECT_EQ(clean_text("\xC2\x9B"
                         "31m"),
              "31m");  // the same as one control character of two bytes
    EXPECT_EQ(clean_text(std::string_view("a\0b", 3)), "ab");
}

TEST(CleanText, ReplacesWhatIsNoUtf8) {
    EXPECT_EQ(clean_text("a\xFF"
                         "b"),
              "a\uFFFDb");
    EXPECT_EQ(clean_text("\xC0\xAF"), "\uFFFD\uFFFD");            // overlong
    EXPECT_EQ(clean_text("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
    EXPECT_EQ(clean_text("\xF5\x80\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
    EXPECT_EQ(clean_text("\xEF\xBF\xBF"), "\uFFFD\uFFFD\uFFFD");  // U+FFFF
    EXPECT_EQ(clean_text("a\xE2\x82"), "a\uFFFD\uFFFD");          // cut off
}

TEST(TextWidth, CountsCodePoints) {
    EXPECT_EQ(text_width("aü€"), 3u);
}

TEST(Wrapped, BreaksAtBlanks) {
    EXPECT_EQ(wrapped("one two three", 7), (Lines{"one two", "three"}));
    EXPECT_EQ(wrapped("  one   two ", 20), Lines{"one two"});
    EXPECT_EQ(wrapped("", 10), Lines{});
}

TEST(Wrapped, BreaksLongWordsBehindPunctuation) {
    EXPECT_EQ(wrapped("gpu:beam_size=1:seed=3", 12), (Lines{"gpu:beam_", "size=1:seed=", "3"}));
    EXPECT_EQ(wrapped("abcdefgh", 3), (Lines{"abc", "def", "gh"}));
    EXPECT_EQ(wrapped("üüüü", 3), (Lines{"üüü", "ü"}));
}

}  // namespace
}  // namespace autoschedule_gpu
