#include <algorithm>
#include <cmath>

#include "core/json/json.h"
#include "core/support/statistics.h"
#include "core/support/utc_time.h"
#include "lab/records/tuning_record.h"

namespace autoschedule_gpu {
namespace {

Error expected(const std::string &what, const std::string &found) {
    return Error{"expected " + what + ", found " + found};
}

std::string number_text(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", number);
    return text;
}

Status check_times(const std::vector<double> &times_ms) {
    for (size_t i = 0; i < times_ms.size(); ++i) {
        const double ms = times_ms[i];
        if (std::isfinite(ms) && ms > 0) continue;
        return expected("finite times above 0",
                        number_text(ms) + " ms as sample " + std::to_string(i));
    }
    return Ok{};
}

Status check_samples(const TuningRecord &record) {
    if (Status good = check_times(record.samples_ms); !good) return good;
    if (record.samples_ms.empty() && !record.compared_ms.empty()) {
        return expected("samples before those of a comparison", "none");
    }
    for (const auto &[comparison, times_ms] : record.compared_ms) {
        if (comparison.empty()) return expected("a name of a comparison", "an empty one");
        if (Status good = check_times(times_ms); !good) return good;
    }
    return Ok{};
}

Status check_outcome(const TuningRecord &record) {
    if (Status good = check_samples(record); !good) return good;
    if (record.failure) {
        return record.verified ? expected("a failure or a verified output", "both") : Status(Ok{});
    }
    if (record.samples_ms.empty()) return expected("samples or a failure", "neither");
    if (!record.verified) return expected("samples of a verified output", "an unverified one");
    return Ok{};
}

Status check_figures(const TuningRecord &record) {
    if (record.predicted_ms &&
        !(std::isfinite(*record.predicted_ms) && *record.predicted_ms >= 0)) {
        return expected("a predicted time of 0 or more", number_text(*record.predicted_ms) + " ms");
    }
    const std::optional<double> &relative = record.tolerance.relative;
    if (relative && !(std::isfinite(*relative) && *relative >= 0)) {
        return expected("a tolerance of 0 or more", number_text(*relative));
    }
    if (record.tolerance.integer_steps < 0) {
        return expected("0 or more integer steps", std::to_string(record.tolerance.integer_steps));
    }
    for (const auto &[name, figure] :
         {std::pair{"registers", record.registers}, {"spill bytes", record.spill_bytes}}) {
        if (!figure || *figure >= 0) continue;
        return expected(std::string("0 or more ") + name, std::to_string(*figure));
    }
    return Ok{};
}

Status check_texts(const TuningRecord &record) {
    for (const auto &[name, text] : {std::pair{"name of the pipeline", &record.pipeline.name},
                                     {"device", &record.environment.device},
                                     {"found_by", &record.found_by}}) {
        if (text->empty()) return expected(std::string("a ") + name, "an empty one");
    }
    for (const auto &[name, text] :
         {std::pair{"trace", &record.trace}, {"decisions", &record.decisions}}) {
        if (text->empty() || is_json(*text)) continue;
        return expected("JSON as " + std::string(name), "'" + text->substr(0, 40) + "'");
    }
    if (!is_utc_text(record.recorded_at)) {
        return expected("a time like 2026-11-22T09:30:00Z", "'" + record.recorded_at + "'");
    }
    return Ok{};
}

}  // namespace

CandidateKey key_of(uint64_t pipeline_hash, const Environment &environment, uint64_t code_hash) {
    return {.pipeline_hash = pipeline_hash,
            .device = environment.device,
            .driver = environment.driver,
            .gpu = environment.gpu,
            .halide = environment.halide,
            .code_hash = code_hash};
}

CandidateKey key_of(const TuningRecord &record) {
    return key_of(record.pipeline.hash, record.environment, record.code_hash);
}

bool counts_within(const TuningRecord &record, const Tolerance &tolerance) {
    if (!record.failure) return is_at_most(record.tolerance, tolerance);
    return record.failure->kind != FailureKind::wrong_output ||
           is_at_most(tolerance, record.tolerance);
}

std::vector<double> all_times_ms(const TuningRecord &record) {
    std::vector<double> all = record.samples_ms;
    for (const auto &[comparison, times_ms] : record.compared_ms) {
        all.insert(all.end(), times_ms.begin(), times_ms.end());
    }
    return all;
}

std::optional<double> median_ms(const TuningRecord &record) {
    if (record.failure) return std::nullopt;
    std::vector<double> all = all_times_ms(record);
    if (all.empty()) return std::nullopt;
    return median(std::move(all));
}

Status check(const TuningRecord &record) {
    if (record.code_hash == 0) return expected("the hash of the device code", "0");
    if (Status texts = check_texts(record); !texts) return texts;
    if (Status figures = check_figures(record); !figures) return figures;
    return check_outcome(record);
}

}  // namespace autoschedule_gpu
