#include "lab/samples/sample_bytes.h"

#include <cmath>
#include <cstdio>
#include <optional>

#include "core/support/bytes.h"
#include "lab/samples/feature_bytes.h"

namespace autoschedule_gpu {

Status check_sample(const Sample &sample) {
    if (sample.kernels.empty()) return Error{"expected at least one kernel, found none"};
    for (size_t i = 0; i < sample.kernels.size(); ++i) {
        if (!sample.kernels[i].stages.empty()) continue;
        return Error{"kernel " + std::to_string(i) + ": expected at least one stage, found none"};
    }
    if (sample.times_ms.empty()) return Error{"expected at least one time, found none"};
    for (size_t i = 0; i < sample.times_ms.size(); ++i) {
        const double time = sample.times_ms[i];
        if (std::isfinite(time) && time > 0) continue;
        char found[32];
        std::snprintf(found, sizeof found, "%g", time);
        return Error{"time " + std::to_string(i) +
                     ": expected a positive number of milliseconds, found " + found};
    }
    return Ok{};
}

namespace {

std::optional<std::vector<double>> take_times(ByteReader &reader) {
    const std::optional<uint32_t> count = reader.take_value<uint32_t>();
    if (!count || reader.left() < *count * sizeof(double)) return std::nullopt;
    std::vector<double> times(*count);
    for (double &time : times) time = *reader.take_value<double>();
    return times;
}

}  // namespace

Result<std::string> sample_payload(const Sample &sample) {
    if (Status allowed = check_sample(sample); !allowed) return allowed.error();
    std::string bytes;
    append_value(bytes, sample.code_hash);
    append_text(bytes, sample.pipeline);
    append_text(bytes, sample.schedule);
    append_value(bytes, static_cast<uint32_t>(sample.times_ms.size()));
    for (const double time : sample.times_ms) append_value(bytes, time);
    if (Status done = append_tables(bytes, sample.kernels); !done) return done.error();
    return bytes;
}

Result<Sample> parse_sample(std::string_view payload, const FeatureCounts &counts) {
    ByteReader reader(payload);
    const std::optional<uint64_t> code_hash = reader.take_value<uint64_t>();
    std::optional<std::string> pipeline = take_text(reader);
    std::optional<std::string> schedule = take_text(reader);
    std::optional<std::vector<double>> times = take_times(reader);
    if (!code_hash || !pipeline || !schedule || !times) {
        return Error{"expected names and times, found only " + std::to_string(payload.size()) +
                     " bytes"};
    }
    Result<std::vector<FeatureTable>> kernels = take_tables(reader, counts);
    if (!kernels) return kernels.error();
    if (reader.left() > 0) {
        return Error{"expected the end after the last kernel, found " +
                     std::to_string(reader.left()) + " more bytes"};
    }
    Sample sample{*std::move(pipeline), *std::move(schedule), *code_hash,
                  std::move(kernels).value(), *std::move(times)};
    if (Status allowed = check_sample(sample); !allowed) return allowed.error();
    return sample;
}

}  // namespace autoschedule_gpu
