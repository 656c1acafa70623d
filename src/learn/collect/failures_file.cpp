#include "learn/collect/failures_file.h"

#include <fstream>

#include "core/json/json.h"
#include "core/support/file.h"
#include "core/support/hex.h"

namespace autoschedule_gpu {
namespace {

constexpr const char *kDuplicate = "duplicate";

Result<FailedDraw> to_failed_draw(const Json &json) {
    FailedDraw draw{.pipeline = json.at("pipeline").get<std::string>(),
                    .schedule = json.at("schedule").get<std::string>(),
                    .reason = json.at("reason").get<std::string>(),
                    .command = json.value("command", "")};
    const std::string kind = json.at("kind").get<std::string>();
    if (kind != kDuplicate) {
        draw.kind = find_failure_kind(kind);
        if (!draw.kind)
            return Error{"expected a kind of failure or 'duplicate', found '" + kind + "'"};
    }
    if (const auto found = json.find("code_hash"); found != json.end()) {
        const std::string text = found->get<std::string>();
        const std::optional<uint64_t> hash = from_hex(text);
        if (!hash)
            return Error{"expected 16 hexadecimal digits as code_hash, found '" + text + "'"};
        draw.code_hash = *hash;
    }
    return draw;
}

}  // namespace

std::string to_json(const FailedDraw &draw) {
    Json json = {{"pipeline", draw.pipeline},
                 {"schedule", draw.schedule},
                 {"kind", draw.kind ? to_string(*draw.kind) : kDuplicate},
                 {"reason", draw.reason}};
    if (!draw.command.empty()) json["command"] = draw.command;
    if (draw.code_hash != 0) json["code_hash"] = to_hex(draw.code_hash);
    return dump(json);
}

Result<FailedDraw> parse_failed_draw(std::string_view text) {
    const Json json = parse_loosely(text);
    if (!json.is_object()) return Error{"expected a JSON object, found none"};
    return read_fields<FailedDraw>(json, "a failure is not as it should be: ", to_failed_draw);
}

Result<std::vector<FailedDraw>> read_failed_draws(const std::string &path) {
    std::vector<FailedDraw> draws;
    if (!is_there(path)) return draws;
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    const std::string_view whole = std::string_view(*text).substr(0, text->rfind('\n') + 1);
    for (std::string_view rest = whole; !rest.empty();) {
        const size_t end = rest.find('\n');
        Result<FailedDraw> draw = parse_failed_draw(rest.substr(0, end));
        if (!draw) {
            return Error{path + ": line " + std::to_string(draws.size() + 1) + ": " +
                         draw.error().message};
        }
        draws.push_back(std::move(draw).value());
        rest.remove_prefix(end + 1);
    }
    if (whole.size() < text->size()) {
        if (Status written = write_file(path, whole); !written) return written.error();
    }
    return draws;
}

Status append_failed_draw(const std::string &path, const FailedDraw &draw) {
    std::ofstream file(path, std::ios::binary | std::ios::app);
    file << to_json(draw) << '\n';
    file.close();
    if (!file) return Error{path + ": cannot be written"};
    return Ok{};
}

}  // namespace autoschedule_gpu
