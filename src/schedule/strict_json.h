// Reading JSON that is exactly as described, and nothing else. What is wrong is thrown as a
// Refusal, which says where, what was expected and what was found: the function that reads a whole
// file catches it and makes an Error of it. Nothing else is thrown, on any input.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace autoschedule_gpu {

using Json = nlohmann::ordered_json;

struct Refusal {
    std::string message;
};

inline constexpr int64_t kMaxJsonInt = std::numeric_limits<int32_t>::max();

// JSON text to a tree; refuses what the library would let pass: repeated keys and deep nesting.
Json parse_json(std::string_view text);

// On one line. Bytes that are not UTF-8 are replaced.
std::string dump(const Json &json);

// One JSON object that is read field by field; what is left over at the end is unknown.
class Fields {
public:
    // `where`: what the object is, for messages.
    Fields(const Json &json, std::string where);

    const Json *find(const char *key);  // null: there is none
    const Json &get(const char *key);
    int64_t integer(const char *key, int64_t lo, int64_t hi);
    std::string text(const char *key);
    const Json &array(const char *key);
    uint64_t hash(const char *key);  // 16 hexadecimal digits

    // A string that must be one of `count` names, which `parse` knows.
    template <typename Enum>
    Enum choice(const char *key, std::optional<Enum> (*parse)(std::string_view), int count) {
        const Json &json = get(key);
        if (json.is_string()) {
            if (const auto found = parse(json.get_ref<const std::string &>())) return *found;
        }
        std::string names;
        for (int i = 0; i < count; ++i) {
            if (i > 0) names += ", ";
            names += name(static_cast<Enum>(i));
        }
        expected("\"" + std::string(key) + "\" to be one of " + names, json);
    }

    // The fields that every file of ours begins with.
    void format(std::string_view name, int64_t version);

    void finish() const;

    [[noreturn]] void expected(const std::string &what, const Json &found) const;

private:
    const Json &json_;
    std::string where_;
    std::set<std::string> known_;
};

}  // namespace autoschedule_gpu
