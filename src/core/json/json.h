// JSON as this project writes it, and reads where a field too many does no harm. What must be
// exactly as described is read by strict_json.h. For .cpp files: it brings in the JSON library.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/support/error.h"

// Compiled once, in json.cpp: for most sources it takes longer than what is written there.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace autoschedule_gpu {

// Objects keep the order in which their fields were added.
using Json = nlohmann::ordered_json;

// Returns the text on one line; with `indent`, an entry a line, with so many blanks per level.
// Names and messages come from outside in any encoding: bytes that are not UTF-8 are replaced.
std::string dump(const Json &json, int indent = -1);

// Returns a discarded value if `text` is no JSON. The last of several equal keys counts.
Json parse_loosely(std::string_view text);

// True if `text` is one JSON value and nothing else.
bool is_json(std::string_view text);

// True if `json` is an object with these two fields, with which our files begin.
bool has_format(const Json &json, std::string_view format, int64_t version);

// Returns what `read(json)` returns. It may use at() and get(): a field that is missing or of
// another type becomes an Error that begins with `complaint`.
template <typename T, typename Read>
Result<T> read_fields(const Json &json, const std::string &complaint, const Read &read) {
    try {
        return read(json);
    } catch (const Json::exception &error) {
        return Error{complaint + error.what()};
    }
}

}  // namespace autoschedule_gpu
