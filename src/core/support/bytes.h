// Values as bytes, for binary formats: little-endian, without padding, as they lie in memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/support/hash.h"

namespace autoschedule_gpu {

static_assert(std::endian::native == std::endian::little);

template <typename T>
void append_value(std::string &bytes, const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

// Takes values off the front of bytes that somebody else owns. What is asked for beyond the end is
// not there, and nothing is taken.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : left_(bytes) {}

    size_t left() const { return left_.size(); }

    std::optional<std::string_view> take(uint64_t count) {
        if (count > left_.size()) return std::nullopt;
        const std::string_view taken = left_.substr(0, count);
        left_.remove_prefix(count);
        return taken;
    }

    template <typename T>
    std::optional<T> take_value() {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::optional<std::string_view> bytes = take(sizeof(T));
        if (!bytes) return std::nullopt;
        T value;
        std::memcpy(&value, bytes->data(), sizeof value);
        return value;
    }

private:
    std::string_view left_;
};

// A text: its length as uint32, then its characters.
inline void append_text(std::string &bytes, std::string_view text) {
    append_value(bytes, static_cast<uint32_t>(text.size()));
    bytes += text;
}

inline std::optional<std::string> take_text(ByteReader &reader) {
    const std::optional<uint32_t> size = reader.take_value<uint32_t>();
    if (!size) return std::nullopt;
    const std::optional<std::string_view> text = reader.take(*size);
    if (!text) return std::nullopt;
    return std::string(*text);
}

using api::checksum;

}  // namespace autoschedule_gpu
