#include "core/support/bytes.h"

#include <gtest/gtest.h>

#include "core/support/hex.h"

namespace autoschedule_gpu {
namespace {

TEST(Bytes, AreLittleEndian) {
    std::string bytes;
    append_value(bytes, uint32_t{0x01020304});
    append_value(bytes, uint8_t{5});
    EXPECT_EQ(bytes, std::string("\4\3\2\1\5"));
}

TEST(ByteReader, TakesValuesInOrderAndNothingBeyondTheEnd) {
    ByteReader reader(std::string_view("\4\3\2\1abc", 7));
    EXPECT_EQ(reader.take_value<uint32_t>(), 0x01020304u);
    EXPECT_FALSE(reader.take_value<uint32_t>());
    EXPECT_FALSE(reader.take(4));
    EXPECT_FALSE(reader.take(~uint64_t{0}));
    EXPECT_EQ(reader.left(), 3u);
    EXPECT_EQ(reader.take(3), "abc");
    EXPECT_EQ(reader.take(0), "");
    EXPECT_FALSE(reader.take_value<char>());
}

// It stands in files, so these numbers must never change.
TEST(Checksum, IsTheHashOfLengthAndWords) {
    EXPECT_EQ(checksum("", 0), Hasher().add(0).add(0).value());
    EXPECT_EQ(checksum("ab", 7), Hasher().add(7).add(2).add(0x6261).value());
    EXPECT_EQ(checksum(std::string_view("\1\0\0\0\0\0\0\0\2", 9), 0),
              Hasher().add(0).add(9).add(1).add(2).value());
}

TEST(Checksum, TellsZerosOfOneNumberFromAnother) {
    EXPECT_NE(checksum(std::string(3, '\0'), 0), checksum(std::string(4, '\0'), 0));
    EXPECT_NE(checksum(std::string(8, '\0'), 0), checksum(std::string(16, '\0'), 0));
}

TEST(Hex, HasSixteenLowerCaseDigits) {
    EXPECT_EQ(to_hex(0), "0000000000000000");
    EXPECT_EQ(to_hex(0x0123456789abcdef), "0123456789abcdef");
}

}  // namespace
}  // namespace autoschedule_gpu
