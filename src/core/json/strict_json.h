// Reading JSON that is exactly as described, and nothing else. What is wrong is thrown as a
// Refusal, which says where, what was expected and what was found: the function that reads a whole
// file catches it and makes an Error of it. Nothing else is thrown, on any input.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/json/json.h"

namespace autoschedule_gpu {

struct Refusal {
    std::string message;
};

// Throws the Refusal "WHERE: expected EXPECTED, found FOUND".
[[noreturn]] void refuse(const std::string &where, const std::string &expected, const Json &found);

// Returns the text of a value for a message, which is short whatever the value is.
std::string shown(const Json &json);

// What a text has that no strict reader takes. Each kind of file says it in its own words.
struct JsonFault {
    enum class Kind : uint8_t { no_json, repeated_key, too_deep };
    Kind kind = Kind::no_json;
    std::string what = {};            // the library's message, or the key
    std::optional<size_t> byte = {};  // of text that is no JSON, where that is known
    int object = 0;                   // counted from 1 among those of the outermost list
};

// Returns the tree of a JSON text. Throws a JsonFault for text that is none and for what the
// library would let pass: repeated keys, and values nested more than `max_depth` deep, which would
// cost memory.
Json parse_strictly(std::string_view text, int max_depth);

// Returns the tree of a file of ours, which nests at most 16 deep. Faults are thrown as a Refusal.
Json parse_json(std::string_view text);

inline constexpr int64_t kMaxJsonInt = std::numeric_limits<int32_t>::max();

// The fields of one object, and which of them a reader has asked for.
class AskedFields {
public:
    explicit AskedFields(const Json &object) : object_(object) {}

    const Json *find(const std::string &key);  // null: there is none

    // Returns the first field that nobody asked for; its value is null if there is none.
    std::pair<std::string, const Json *> unknown() const;

    const std::set<std::string> &asked() const { return asked_; }

private:
    const Json &object_;
    std::set<std::string> asked_;
};

// One JSON object that is read field by field; what is left over at the end is unknown.
class Fields {
public:
    // `where`: what the object is, for messages.
    Fields(const Json &json, std::string where);

    const Json *find(const char *key) { return fields_.find(key); }  // null: there is none
    const Json &get(const char *key);
    int64_t integer(const char *key, int64_t lo, int64_t hi);
    std::string text(const char *key);
    const Json &array(const char *key);
    uint64_t hash(const char *key);  // 16 hexadecimal digits

    // A string that must be one of `count` names, which to_string() gives and `parse` knows.
    template <typename Enum>
    Enum choice(const char *key, std::optional<Enum> (*parse)(std::string_view), int count) {
        const Json &json = get(key);
        if (json.is_string()) {
            if (const auto found = parse(json.get_ref<const std::string &>())) return *found;
        }
        std::string names;
        for (int i = 0; i < count; ++i) {
            if (i > 0) names += ", ";
            names += to_string(static_cast<Enum>(i));
        }
        expected("\"" + std::string(key) + "\" to be one of " + names, json);
    }

    // The fields that every file of ours begins with.
    void format(std::string_view name, int64_t version);

    void finish() const;

    [[noreturn]] void expected(const std::string &what, const Json &found) const {
        refuse(where_, what, found);
    }

private:
    std::string where_;
    AskedFields fields_;
};

}  // namespace autoschedule_gpu
