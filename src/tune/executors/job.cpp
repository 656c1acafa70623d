#include "tune/executors/job.h"

#include <algorithm>
#include <array>

#include "core/json/json.h"
#include "core/support/hash.h"
#include "core/support/hex.h"

namespace autoschedule_gpu {
namespace {

constexpr std::array<std::string_view, 3> kKinds = {"learn", "attempt", "compare"};

Json json_of(const NamedValues &values) {
    Json json = Json::array();
    for (const auto &[name, value] : values) json.push_back({name, value});
    return json;
}

NamedValues values_of(const Json &json) {
    NamedValues values;
    for (const Json &pair : json) {
        values.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
    }
    return values;
}

Json json_of(const ScheduleRequest &draw) {
    return {{"schedule", draw.schedule},
            {"params", json_of(draw.scheduler_params)},
            {"files", json_of(draw.files)}};
}

ScheduleRequest draw_of(const Json &json) {
    return {.schedule = json.at("schedule"),
            .scheduler_params = values_of(json.at("params")),
            .files = values_of(json.at("files"))};
}

Json json_of(const Workload &workload) {
    Json json = {
        {"pipeline", workload.pipeline},      {"size", workload.size},
        {"generator", workload.generator},    {"generator_name", workload.generator_name},
        {"params", json_of(workload.params)}, {"integer_steps", workload.tolerance.integer_steps},
        {"inputs", to_texts(workload.inputs)}};
    if (workload.tolerance.relative) json["relative"] = *workload.tolerance.relative;
    return json;
}

Workload workload_of(const Json &json) {
    Workload workload{.pipeline = json.at("pipeline"),
                      .size = json.at("size"),
                      .generator = json.at("generator"),
                      .generator_name = json.at("generator_name"),
                      .params = values_of(json.at("params"))};
    workload.tolerance.integer_steps = json.at("integer_steps");
    if (json.contains("relative")) workload.tolerance.relative = json.at("relative").get<double>();
    Result<InputRanges> inputs =
        parse_input_ranges(json.at("inputs").get<std::vector<std::string>>());
    if (!inputs) throw Json::other_error::create(501, inputs.error().message, &json);
    workload.inputs = std::move(inputs).value();
    return workload;
}

Json json_of(const Environment &e) {
    return {{"device", e.device}, {"driver", e.driver},
            {"gpu", e.gpu},       {"halide", e.halide},
            {"plugin", e.plugin}, {"feature_schema", to_hex(e.feature_schema)}};
}

uint64_t hash_of(const Json &json) {
    const auto hash = from_hex(json.get<std::string>());
    if (!hash) throw Json::other_error::create(501, "a hash is no 16 hexadecimal digits", &json);
    return *hash;
}

Environment environment_of(const Json &json) {
    return {.device = json.at("device"),
            .driver = json.at("driver"),
            .gpu = json.at("gpu"),
            .halide = json.at("halide"),
            .plugin = json.at("plugin"),
            .feature_schema = hash_of(json.at("feature_schema"))};
}

Json json_of(const Comparison &comparison) {
    return {{"name", comparison.name},
            {"part", comparison.part},
            {"rounds", comparison.rounds},
            {"warmup_runs", comparison.noise.warmup_runs},
            {"samples", comparison.noise.samples},
            {"time_budget_s", comparison.noise.time_budget_s}};
}

Comparison comparison_of(const Json &json) {
    return {.name = json.at("name"),
            .part = json.at("part"),
            .rounds = json.at("rounds"),
            .noise = {.warmup_runs = json.at("warmup_runs"),
                      .samples = json.at("samples"),
                      .time_budget_s = json.at("time_budget_s")}};
}

// Returns what `read` makes of a text of a queue, which may come from another version of this
// program.
template <typename T, typename Read>
Result<T> parse(std::string_view text, const std::string &what, const Read &read) {
    return read_fields<T>(parse_loosely(text), what + " is not as it should be: ", read);
}

}  // namespace

std::string to_json(const TuneJob &job) {
    Json draws = Json::array();
    for (const ScheduleRequest &draw : job.draws) draws.push_back(json_of(draw));
    Json json = {{"kind", kKinds[static_cast<size_t>(job.kind)]},
                 {"session", job.session},
                 {"workload", json_of(job.workload)},
                 {"device", to_string(job.device)},
                 {"gpu", job.gpu},
                 {"target", job.target},
                 {"expected", json_of(job.expected)},
                 {"pipeline_hash", to_hex(job.pipeline_hash)},
                 {"draws", draws},
                 {"comparison", json_of(job.comparison)}};
    if (job.best_ms) json["best_ms"] = *job.best_ms;
    return dump(json);
}

Result<TuneJob> parse_job(std::string_view text) {
    return parse<TuneJob>(text, "a job", [](const Json &json) -> Result<TuneJob> {
        const auto kind = json.at("kind").get<std::string>();
        const auto found = std::find(kKinds.begin(), kKinds.end(), kind);
        if (found == kKinds.end()) return Error{"a job is of no known kind: '" + kind + "'"};
        const Result<RunDevice> device = parse_run_device(json.at("device").get<std::string>());
        if (!device) return device.error();
        TuneJob job{.kind = static_cast<JobKind>(found - kKinds.begin()),
                    .session = json.at("session"),
                    .workload = workload_of(json.at("workload")),
                    .device = *device,
                    .gpu = json.at("gpu"),
                    .target = json.at("target"),
                    .expected = environment_of(json.at("expected")),
                    .pipeline_hash = hash_of(json.at("pipeline_hash")),
                    .comparison = comparison_of(json.at("comparison"))};
        for (const Json &draw : json.at("draws")) job.draws.push_back(draw_of(draw));
        if (json.contains("best_ms")) job.best_ms = json.at("best_ms").get<double>();
        return job;
    });
}

int64_t number_of(const TuneJob &job) {
    Hasher hasher;
    hasher.add(static_cast<uint64_t>(job.kind)).add(job.comparison.name);
    hasher.add(static_cast<uint64_t>(job.comparison.part));
    for (const ScheduleRequest &draw : job.draws) hasher.add(draw.schedule);
    return static_cast<int64_t>(hasher.value() >> 1);
}

std::string to_json(const JobAnswer &answer) {
    Json json = {{"error", answer.error}};
    if (answer.learnt) {
        json["pipeline"] = {{"name", answer.learnt->pipeline.name},
                            {"size", answer.learnt->pipeline.size},
                            {"hash", to_hex(answer.learnt->pipeline.hash)}};
        json["environment"] = json_of(answer.learnt->environment);
    }
    return dump(json);
}

Result<JobAnswer> parse_answer(std::string_view text) {
    return parse<JobAnswer>(text, "an answer", [](const Json &json) -> Result<JobAnswer> {
        JobAnswer answer{.error = json.at("error")};
        if (json.contains("pipeline")) {
            const Json &pipeline = json.at("pipeline");
            answer.learnt = TunedPipeline{.pipeline = {.name = pipeline.at("name"),
                                                       .size = pipeline.at("size"),
                                                       .hash = hash_of(pipeline.at("hash"))},
                                          .environment = environment_of(json.at("environment"))};
        }
        return answer;
    });
}

}  // namespace autoschedule_gpu
