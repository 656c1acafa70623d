#include "lab/run/replay.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>

#include "core/json/json.h"
#include "core/support/file.h"
#include "core/support/hash.h"
#include "core/support/hex.h"
#include "lab/run/device.h"

namespace autoschedule_gpu {

namespace {

constexpr const char *kMeasurementFormat = "autoschedule_gpu.measurement";
constexpr int kMeasurementVersion = 1;

Result<uint64_t> code_hash(const std::string &text) {
    if (const std::optional<uint64_t> hash = from_hex(text)) return *hash;
    return Error{"expected 16 hexadecimal digits as \"code_hash\", found '" + text + "'"};
}

std::string_view next_line(std::string_view &rest) {
    const size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return line;
}

Result<MeasurementRecord> to_record(const Json &json) {
    if (json.at("format") != kMeasurementFormat || json.at("version") != kMeasurementVersion) {
        return Error{std::string("expected a record of format ") + kMeasurementFormat +
                     ", version " + std::to_string(kMeasurementVersion)};
    }
    const Result<uint64_t> hash = code_hash(json.at("code_hash").get<std::string>());
    if (!hash) return hash.error();
    MeasurementRecord record{.device = json.at("device").get<std::string>(),
                             .key = {.app = json.at("app").get<std::string>(),
                                     .size = json.at("size").get<std::string>(),
                                     .code_hash = *hash},
                             .scheduler = json.at("scheduler").get<std::string>()};
    if (const auto failure = json.find("failure"); failure != json.end()) {
        const std::string name = failure->at("kind").get<std::string>();
        const std::optional<FailureKind> kind = find_failure_kind(name);
        if (!kind) return Error{"expected a kind of failure, found '" + name + "'"};
        record.failure = Failure{.kind = *kind, .reason = failure->at("reason").get<std::string>()};
        return record;
    }
    record.samples_ms = json.at("samples_ms").get<std::vector<double>>();
    const auto is_time = [](double ms) { return std::isfinite(ms) && ms > 0; };
    if (record.samples_ms.empty() ||
        !std::all_of(record.samples_ms.begin(), record.samples_ms.end(), is_time)) {
        return Error{"expected positive times as \"samples_ms\", found " +
                     json.at("samples_ms").dump()};
    }
    return record;
}

}  // namespace

std::string to_json(const MeasurementRecord &record) {
    Json json = {{"format", kMeasurementFormat}, {"version", kMeasurementVersion},
                 {"device", record.device},      {"app", record.key.app},
                 {"size", record.key.size},      {"code_hash", to_hex(record.key.code_hash)},
                 {"scheduler", record.scheduler}};
    if (record.failure) {
        json["failure"] = {{"kind", to_string(record.failure->kind)},
                           {"reason", record.failure->reason}};
    } else {
        json["samples_ms"] = record.samples_ms;
    }
    return dump(json);
}

Result<MeasurementRecord> parse_record(std::string_view text) {
    const Json json = parse_loosely(text);
    if (!json.is_object()) return Error{"expected a JSON object, found none"};
    return read_fields<MeasurementRecord>(json, "a record is not as it should be: ", to_record);
}

Status append_record(const std::string &path, const MeasurementRecord &record) {
    const std::string line = to_json(record) + "\n";
    const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) return Error{path + ": " + std::strerror(errno)};
    // The line goes out in one write, so that a kill leaves no half line; what a full disk leaves
    // of one is taken back, before another process adds its own behind it.
    while (flock(file, LOCK_EX) < 0 && errno == EINTR) {
    }
    const off_t before = lseek(file, 0, SEEK_END);
    ssize_t count = 0;
    while ((count = write(file, line.data(), line.size())) < 0 && errno == EINTR) {
    }
    const int code = count < 0 ? errno : ENOSPC;
    const bool is_whole = count == static_cast<ssize_t>(line.size());
    const bool is_as_before = is_whole || count <= 0 || ftruncate(file, before) == 0;
    close(file);
    if (is_whole) return Ok{};
    return Error{path + ": " + std::strerror(code) +
                 (is_as_before ? "" : "; its last line is cut short")};
}

Result<Replay> Replay::parse(std::string_view text) {
    Replay replay;
    for (size_t number = 1; !text.empty(); number++) {
        const std::string_view line = next_line(text);
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        Result<MeasurementRecord> record = parse_record(line);
        const std::string where = "line " + std::to_string(number) + ": ";
        if (!record) return Error{where + record.error().message};
        const std::string device = text_of_recorded(record->device);
        if (replay.records_.empty()) replay.device_ = device;
        if (device != replay.device_) {
            return Error{where + "expected a measurement of '" + replay.device_ +
                         "', found one of '" + device + "'"};
        }
        const auto [known, is_new] = replay.records_.try_emplace(record->key, *record);
        if (is_new) continue;
        known->second.samples_ms.insert(known->second.samples_ms.end(), record->samples_ms.begin(),
                                        record->samples_ms.end());
        if (record->failure) known->second.failure = record->failure;
    }
    if (replay.records_.empty()) return Error{"expected recorded measurements, found none"};
    return replay;
}

Result<Replay> Replay::open(const std::string &path) {
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    Result<Replay> replay = parse(*text);
    if (!replay) return Error{path + ": " + replay.error().message};
    return replay;
}

Outcome<Timing> Replay::find(const RecordKey &key) const {
    const auto found = records_.find(key);
    if (found != records_.end()) {
        if (found->second.failure) return *found->second.failure;
        return summarise(found->second.samples_ms);
    }
    const auto with_other_code = records_.lower_bound({key.app, key.size, 0});
    const bool known = with_other_code != records_.end() && with_other_code->first.app == key.app &&
                       with_other_code->first.size == key.size;
    return Failure{.kind = FailureKind::setup,
                   .reason = "no measurement of " + key.app + " at size '" + key.size +
                             "' with the device code " + to_hex(key.code_hash) + " on '" + device_ +
                             "'" + (known ? "; there are some with other code" : "")};
}

}  // namespace autoschedule_gpu
