#include "lab/records/record_json.h"

#include <optional>

#include "core/json/json.h"
#include "core/support/hex.h"

namespace autoschedule_gpu {
namespace {

template <typename T>
Json value_or_null(const std::optional<T> &value) {
    return value ? Json(*value) : Json();
}

Json parsed(const std::string &text) {
    return text.empty() ? Json() : parse_loosely(text);
}

}  // namespace

std::string to_json(const TuningRecord &record) {
    const Environment &environment = record.environment;
    Json json = {{"pipeline", record.pipeline.name},
                 {"size", record.pipeline.size},
                 {"pipeline_hash", to_hex(record.pipeline.hash)},
                 {"device", environment.device},
                 {"driver", environment.driver},
                 {"gpu", environment.gpu},
                 {"halide", environment.halide},
                 {"plugin", environment.plugin},
                 {"feature_schema", to_hex(environment.feature_schema)},
                 {"code_hash", to_hex(record.code_hash)},
                 {"found_by", record.found_by},
                 {"session", record.session},
                 {"trace", parsed(record.trace)},
                 {"decisions", parsed(record.decisions)},
                 {"features_bytes", record.features.size()},
                 {"predicted_ms", value_or_null(record.predicted_ms)},
                 {"registers", value_or_null(record.registers)},
                 {"spill_bytes", value_or_null(record.spill_bytes)},
                 {"float_tolerance", value_or_null(record.tolerance.relative)},
                 {"integer_steps", record.tolerance.integer_steps},
                 {"recorded_at", record.recorded_at}};
    if (record.failure) {
        json["failure"] = {{"kind", to_string(record.failure->kind)},
                           {"reason", record.failure->reason},
                           {"command", record.failure->command},
                           {"output", record.failure->output}};
    } else {
        json["median_ms"] = value_or_null(median_ms(record));
    }
    if (!record.samples_ms.empty()) {
        json["samples_ms"] = record.samples_ms;
        json["compared_ms"] = record.compared_ms;
    }
    return dump(json);
}

}  // namespace autoschedule_gpu
