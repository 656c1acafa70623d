#include "compare/rows/json_rows.h"

#include <utility>

namespace autoschedule_gpu::json_rows {

namespace {

// Rows hold lists of objects that hold lists, which are five levels.
constexpr int kMaxDepth = 8;

std::string text_or_nothing(const Json &row, const char *key) {
    const auto found = row.find(key);
    return found != row.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

Json parse_array(std::string_view text) {
    try {
        Json json = parse_strictly(text, kMaxDepth);
        if (json.is_array()) return json;
        throw Refusal{"expected a JSON array of rows, found " + shown(json)};
    } catch (const JsonFault &fault) {
        switch (fault.kind) {
            case JsonFault::Kind::repeated_key:
                throw Refusal{"row " + std::to_string(fault.object) + ", field \"" + fault.what +
                              "\": expected it once, found it twice"};
            case JsonFault::Kind::too_deep:
                throw Refusal{"expected a list of rows, found deeper nesting"};
            case JsonFault::Kind::no_json:
                break;
        }
        throw Refusal{"expected a JSON array of rows: " + fault.what};
    }
}

std::string row_name(const Json &row, size_t index) {
    const std::string name = "row " + std::to_string(index + 1);
    if (!row.is_object()) return name;
    const std::string app = text_or_nothing(row, "app");
    const std::string scheduler = text_or_nothing(row, "scheduler");
    if (app.empty() || scheduler.empty()) return name;
    return name + " (" + app + ", " + scheduler + ")";
}

Reader::Reader(const Json &json, std::string where) : where_(std::move(where)), fields_(json) {
    if (!json.is_object()) refuse(where_, "an object", json);
}

const Json &Reader::get(const std::string &key) {
    const Json *json = fields_.find(key);
    if (json == nullptr) throw Refusal{where(key) + ": expected a value, found no such field"};
    return *json;
}

void Reader::expect_no_more() const {
    const auto [key, value] = fields_.unknown();
    if (value != nullptr) refuse(where(key), "no such field", *value);
}

void Reader::median(const std::string &key, std::optional<double> &median,
                    std::optional<RowInterval> &interval) {
    const std::string interval_key = key + "_interval";
    field(key.c_str(), median);
    field(interval_key.c_str(), interval);
    if (interval && !median) {
        refuse(where(interval_key), "null, because \"" + key + "\" is", get(interval_key));
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
