#include "collect/miss_log.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/file.h"
#include "support/hex.h"

namespace autoschedule_gpu {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char *kDuplicate = "duplicate";

// Throws Json::exception as at() and get() do; parse_miss catches it.
Result<Miss> to_miss(const Json &json) {
    Miss miss{.pipeline = json.at("pipeline").get<std::string>(),
              .schedule = json.at("schedule").get<std::string>(),
              .reason = json.at("reason").get<std::string>(),
              .command = json.value("command", "")};
    const std::string kind = json.at("kind").get<std::string>();
    if (kind != kDuplicate) {
        miss.kind = find_failure_kind(kind);
        if (!miss.kind)
            return Error{"expected a kind of failure or 'duplicate', found '" + kind + "'"};
    }
    if (const auto hash = json.find("code_hash"); hash != json.end()) {
        const std::string text = hash->get<std::string>();
        const char *end = text.data() + text.size();
        const auto [stop, code] = std::from_chars(text.data(), end, miss.code_hash, 16);
        if (code != std::errc() || stop != end || text.size() != 16) {
            return Error{"expected 16 hexadecimal digits as code_hash, found '" + text + "'"};
        }
    }
    return miss;
}

}  // namespace

std::string to_json(const Miss &miss) {
    Json json = {{"pipeline", miss.pipeline},
                 {"schedule", miss.schedule},
                 {"kind", miss.kind ? to_string(*miss.kind) : kDuplicate},
                 {"reason", miss.reason}};
    if (!miss.command.empty()) json["command"] = miss.command;
    if (miss.code_hash != 0) json["code_hash"] = to_hex(miss.code_hash);
    // A program's message may be in any encoding.
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Miss> parse_miss(std::string_view text) {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) return Error{"expected a JSON object, found none"};
    try {
        return to_miss(json);
    } catch (const Json::exception &error) {
        return Error{std::string("a failure is not as it should be: ") + error.what()};
    }
}

Result<std::vector<Miss>> read_misses(const std::string &path) {
    std::vector<Miss> misses;
    if (!std::filesystem::exists(path)) return misses;
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    const std::string_view whole = std::string_view(*text).substr(0, text->rfind('\n') + 1);
    for (std::string_view rest = whole; !rest.empty();) {
        const size_t end = rest.find('\n');
        Result<Miss> miss = parse_miss(rest.substr(0, end));
        if (!miss) {
            return Error{path + ": line " + std::to_string(misses.size() + 1) + ": " +
                         miss.error().message};
        }
        misses.push_back(std::move(miss).value());
        rest.remove_prefix(end + 1);
    }
    if (whole.size() < text->size()) {
        if (Status written = write_file(path, whole); !written) return written.error();
    }
    return misses;
}

Status append_miss(const std::string &path, const Miss &miss) {
    std::ofstream file(path, std::ios::binary | std::ios::app);
    file << to_json(miss) << '\n';
    file.close();
    if (!file) return Error{path + ": cannot be written"};
    return Ok{};
}

}  // namespace autoschedule_gpu
