#include "core/json/strict_json.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/support/hex.h"

namespace autoschedule_gpu {
namespace {

// Our files nest five deep.
constexpr int kMaxDepth = 16;

std::string list(const std::set<std::string> &keys) {
    std::string text;
    for (const std::string &key : keys) text += (text.empty() ? "" : ", ") + key;
    return text;
}

// Says of what is parsed that it is too deep, or that a key comes again.
class Watch {
public:
    explicit Watch(int max_depth) : max_depth_(max_depth) {}

    void operator()(int depth, Json::parse_event_t event, const Json &parsed) {
        using Event = Json::parse_event_t;
        if (depth > max_depth_) throw JsonFault{.kind = JsonFault::Kind::too_deep};
        if (event == Event::object_start) {
            if (depth == 1) ++object_;
            keys_.emplace_back();
        } else if (event == Event::object_end && !keys_.empty()) {
            keys_.pop_back();
        } else if (event == Event::key && !keys_.empty()) {
            std::string key = parsed.get<std::string>();
            if (!keys_.back().insert(key).second) {
                throw JsonFault{.kind = JsonFault::Kind::repeated_key,
                                .what = std::move(key),
                                .object = object_};
            }
        }
    }

private:
    int max_depth_;
    int object_ = 0;
    std::vector<std::set<std::string>> keys_;
};

std::string text_of(const JsonFault &fault, std::string_view text) {
    switch (fault.kind) {
        case JsonFault::Kind::repeated_key:
            return "expected each field once, found " + shown(Json(fault.what)) + " again";
        case JsonFault::Kind::too_deep:
            return "expected values nested at most " + std::to_string(kMaxDepth) +
                   " deep, found more";
        case JsonFault::Kind::no_json:
            break;
    }
    std::string where;
    if (fault.byte) {
        const auto end =
            text.begin() + static_cast<std::ptrdiff_t>(std::min(*fault.byte, text.size()));
        where = "line " + std::to_string(1 + std::count(text.begin(), end, '\n')) + ": ";
    }
    return where + "expected JSON, found text that is none (" + fault.what + ")";
}

}  // namespace

void refuse(const std::string &where, const std::string &expected, const Json &found) {
    throw Refusal{where + ": expected " + expected + ", found " + shown(found)};
}

std::string shown(const Json &json) {
    std::string text = dump(json);
    constexpr size_t kLongest = 60;
    if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
    return text;
}

Json parse_strictly(std::string_view text, int max_depth) {
    // The parser copies what it calls back, so the watch is captured by reference.
    Watch watch(max_depth);
    const auto strict = [&watch](int depth, Json::parse_event_t event, Json &parsed) {
        watch(depth, event, parsed);
        return true;
    };
    try {
        return Json::parse(text, strict);
    } catch (const Json::parse_error &error) {
        throw JsonFault{.what = error.what(), .byte = error.byte};
    } catch (const Json::exception &error) {
        throw JsonFault{.what = error.what()};
    }
}

Json parse_json(std::string_view text) {
    try {
        return parse_strictly(text, kMaxDepth);
    } catch (const JsonFault &fault) {
        throw Refusal{text_of(fault, text)};
    }
}

const Json *AskedFields::find(const std::string &key) {
    asked_.insert(key);
    const auto it = object_.find(key);
    return it == object_.end() ? nullptr : &*it;
}

std::pair<std::string, const Json *> AskedFields::unknown() const {
    for (const auto &[key, value] : object_.items()) {
        if (!asked_.contains(key)) return {key, &value};
    }
    return {};
}

Fields::Fields(const Json &json, std::string where) : where_(std::move(where)), fields_(json) {
    if (!json.is_object()) expected("an object", json);
}

const Json &Fields::get(const char *key) {
    const Json *json = find(key);
    if (json == nullptr) {
        throw Refusal{where_ + ": expected the field \"" + key + "\", found none"};
    }
    return *json;
}

int64_t Fields::integer(const char *key, int64_t lo, int64_t hi) {
    const Json &json = get(key);
    const bool fits =
        json.is_number_unsigned()
            ? json.get<uint64_t>() <= static_cast<uint64_t>(hi) && json.get<int64_t>() >= lo
            : json.is_number_integer() && json.get<int64_t>() >= lo && json.get<int64_t>() <= hi;
    if (!fits) {
        expected("\"" + std::string(key) + "\" to be an integer in [" + std::to_string(lo) + ", " +
                     std::to_string(hi) + "]",
                 json);
    }
    return json.get<int64_t>();
}

std::string Fields::text(const char *key) {
    const Json &json = get(key);
    if (!json.is_string()) expected("\"" + std::string(key) + "\" to be a string", json);
    return json.get<std::string>();
}

const Json &Fields::array(const char *key) {
    const Json &json = get(key);
    if (!json.is_array()) expected("\"" + std::string(key) + "\" to be an array", json);
    return json;
}

uint64_t Fields::hash(const char *key) {
    const std::optional<uint64_t> hash = from_hex(text(key));
    if (!hash) {
        expected("\"" + std::string(key) + "\" to be 16 lower-case hexadecimal digits", get(key));
    }
    return *hash;
}

void Fields::format(std::string_view name, int64_t version) {
    if (const std::string found = text("format"); found != name) {
        expected("the format \"" + std::string(name) + "\"", Json(found));
    }
    if (const int64_t found = integer("version", 0, kMaxJsonInt); found != version) {
        expected("version " + std::to_string(version), Json(found));
    }
}

void Fields::finish() const {
    const auto [key, value] = fields_.unknown();
    if (value == nullptr) return;
    throw Refusal{where_ + ": found the unknown field " + shown(Json(key)) + ", expected only " +
                  list(fields_.asked())};
}

}  // namespace autoschedule_gpu
