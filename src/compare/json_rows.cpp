#include "compare/json_rows.h"

#include <utility>

namespace autoschedule_gpu::json_rows {

namespace {

// Rows hold lists of objects with lists: five levels.
constexpr int kMaxDepth = 8;

// Text of a value for a message, short whatever the value is.
std::string shown(const Json &json) {
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    constexpr size_t kLongest = 60;
    if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
    return text;
}

// The last value of a repeated key would win without a word, so keys are watched while parsing.
class KeyWatch {
public:
    bool operator()(int depth, Json::parse_event_t event, Json &parsed) {
        using Event = Json::parse_event_t;
        if (depth > kMaxDepth) throw Refusal{"expected a list of rows, found deeper nesting"};
        if (event == Event::object_start) {
            if (depth == 1) row_++;
            keys_.emplace_back();
        } else if (event == Event::object_end) {
            keys_.pop_back();
        } else if (event == Event::key) {
            const std::string key = parsed.get<std::string>();
            if (!keys_.back().insert(key).second) {
                throw Refusal{"row " + std::to_string(row_) + ", field \"" + key +
                              "\": expected it once, found it twice"};
            }
        }
        return true;
    }

private:
    int row_ = 0;
    std::vector<std::set<std::string>> keys_;
};

std::string text_or_nothing(const Json &row, const char *key) {
    const auto found = row.find(key);
    return found != row.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

void refuse(const std::string &where, const std::string &expected, const Json &found) {
    throw Refusal{where + ": expected " + expected + ", found " + shown(found)};
}

Json parse_array(std::string_view text) {
    Json json;
    try {
        // The parser copies what it calls back, so the watch is passed by reference.
        KeyWatch watch;
        json = Json::parse(text, [&watch](int depth, Json::parse_event_t event, Json &parsed) {
            return watch(depth, event, parsed);
        });
    } catch (const Json::exception &error) {
        throw Refusal{std::string("expected a JSON array of rows: ") + error.what()};
    }
    if (!json.is_array()) throw Refusal{"expected a JSON array of rows, found " + shown(json)};
    return json;
}

std::string text_of(const Json &rows) {
    return rows.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string row_name(const Json &row, size_t index) {
    const std::string name = "row " + std::to_string(index + 1);
    if (!row.is_object()) return name;
    const std::string app = text_or_nothing(row, "app");
    const std::string scheduler = text_or_nothing(row, "scheduler");
    if (app.empty() || scheduler.empty()) return name;
    return name + " (" + app + ", " + scheduler + ")";
}

Reader::Reader(const Json &json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) refuse(where_, "an object", json);
}

const Json &Reader::get(const char *key) {
    known_.insert(key);
    const auto found = json_.find(key);
    if (found == json_.end()) throw Refusal{where(key) + ": expected a value, found no such field"};
    return *found;
}

void Reader::expect_no_more() const {
    for (const auto &[key, value] : json_.items()) {
        if (known_.contains(key)) continue;
        refuse(where(key), "no such field", value);
    }
}

void Reader::median(const std::string &key, std::optional<double> &median,
                    std::optional<RowInterval> &interval) {
    const std::string interval_key = key + "_interval";
    field(key.c_str(), median);
    field(interval_key.c_str(), interval);
    if (interval && !median) {
        refuse(where(interval_key), "null, because \"" + key + "\" is", json_[interval_key]);
    }
}

void Reader::outcome(std::optional<RowFailure> &failure) {
    const Json &status = get("status");
    const Json &reason = get("reason");
    failure.reset();
    if (status == "ok") {
        if (!reason.is_null())
            refuse(where("reason"), "null, because the status is \"ok\"", reason);
        return;
    }
    if (status != "failed") refuse(where("status"), "\"ok\" or \"failed\"", status);
    if (reason.is_string()) failure = parse_row_failure(reason.get<std::string>());
    if (failure) return;
    std::string kinds;
    for (const std::string_view kind : kFailureKindNames) {
        kinds += (kinds.empty() ? "" : ", ") + std::string(kind);
    }
    refuse(where("reason"), "\"KIND: sentence\" with a KIND of " + kinds, reason);
}

void Reader::verified(std::optional<bool> &value, const std::optional<RowFailure> &failure) {
    field("verified", value);
    if (failure || value.value_or(true)) return;
    refuse(where("verified"), "true or null, because the status is \"ok\"", false);
}

double Reader::number(const Json &json, const std::string &where, double greatest) {
    const std::string range =
        greatest == kNoLimit ? "a number that is not negative" : "a number from 0 to 1";
    if (!json.is_number()) refuse(where, range, json);
    const double value = json.get<double>();
    if (!std::isfinite(value) || value < 0 || value > greatest) refuse(where, range, json);
    return value;
}

void Reader::read(const Json &json, const std::string &where, std::string &value) {
    if (!json.is_string()) refuse(where, "a text", json);
    value = json.get<std::string>();
}

void Reader::read(const Json &json, const std::string &where, int64_t &value) {
    constexpr uint64_t kGreatest = std::numeric_limits<int64_t>::max();
    if (!json.is_number_unsigned() || json.get<uint64_t>() > kGreatest) {
        refuse(where, "a whole number that is not negative", json);
    }
    value = json.get<int64_t>();
}

void Reader::read(const Json &json, const std::string &where, double &value) {
    value = number(json, where);
}

void Reader::read(const Json &json, const std::string &where, bool &value) {
    if (!json.is_boolean()) refuse(where, "true or false", json);
    value = json.get<bool>();
}

void Reader::read(const Json &json, const std::string &where, RowInterval &value) {
    if (!json.is_array() || json.size() != 2) refuse(where, "[low, high]", json);
    value = {number(json[0], where), number(json[1], where)};
    if (value.low > value.high) refuse(where, "[low, high] with low <= high", json);
}

}  // namespace autoschedule_gpu::json_rows
