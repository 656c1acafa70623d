#include "schedule/strict_json.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "support/hex.h"

namespace autoschedule_gpu {
namespace {

// Our files nest five deep; a limit keeps hostile text from costing memory.
constexpr int kMaxDepth = 16;

// Text of a value for a message, short whatever the value is.
std::string shown(const Json &json) {
    std::string text = dump(json);
    constexpr size_t kLongest = 60;
    if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
    return text;
}

std::string list(const std::set<std::string> &keys) {
    std::string text;
    for (const std::string &key : keys) text += (text.empty() ? "" : ", ") + key;
    return text;
}

}  // namespace

std::string dump(const Json &json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json parse_json(std::string_view text) {
    std::vector<std::set<std::string>> keys;
    const auto strict = [&keys](int depth, Json::parse_event_t event, Json &parsed) {
        if (depth > kMaxDepth) {
            throw Refusal{"expected values nested at most " + std::to_string(kMaxDepth) +
                          " deep, found more"};
        }
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end && !keys.empty()) keys.pop_back();
        if (event == Json::parse_event_t::key && !keys.empty() &&
            !keys.back().insert(parsed.get<std::string>()).second) {
            throw Refusal{"expected each field once, found " + shown(parsed) + " again"};
        }
        return true;
    };
    try {
        return Json::parse(text, strict);
    } catch (const Json::parse_error &error) {
        const size_t end = std::min(error.byte, text.size());
        const auto line = 1 + std::count(text.begin(), text.begin() + end, '\n');
        throw Refusal{"line " + std::to_string(line) +
                      ": expected JSON, found text that is none (" + error.what() + ")"};
    } catch (const Json::exception &error) {
        throw Refusal{std::string("expected JSON, found text that is none (") + error.what() + ")"};
    }
}

Fields::Fields(const Json &json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) expected("an object", json);
}

const Json *Fields::find(const char *key) {
    known_.insert(key);
    const auto it = json_.find(key);
    return it == json_.end() ? nullptr : &*it;
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
    for (const auto &[key, value] : json_.items()) {
        if (known_.contains(key)) continue;
        throw Refusal{where_ + ": found the unknown field " + shown(Json(key)) +
                      ", expected only " + list(known_)};
    }
}

void Fields::expected(const std::string &what, const Json &found) const {
    throw Refusal{where_ + ": expected " + what + ", found " + shown(found)};
}

}  // namespace autoschedule_gpu
