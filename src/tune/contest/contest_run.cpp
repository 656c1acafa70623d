#include "tune/contest/contest_run.h"

#include <charconv>
#include <utility>

#include "core/json/json.h"

namespace autoschedule_gpu {
namespace {

constexpr const char *kFormat = "autoschedule_gpu.contest_run";
constexpr int64_t kVersion = 1;

Json json_of(const VerifiedTime &time) {
    return {time.median_ms, time.low_ms, time.high_ms};
}

VerifiedTime time_of(const Json &json) {
    return {.median_ms = json.at(0), .low_ms = json.at(1), .high_ms = json.at(2)};
}

Json json_of(const std::vector<Prediction> &predictions) {
    Json json = Json::array();
    for (const Prediction &one : predictions) {
        json.push_back({one.predicted_ms, one.measured_ms});
    }
    return json;
}

std::vector<Prediction> predictions_of(const Json &json) {
    std::vector<Prediction> predictions;
    for (const Json &one : json) {
        predictions.push_back({.predicted_ms = one.at(0), .measured_ms = one.at(1)});
    }
    return predictions;
}

Json json_of(const std::vector<CoursePoint> &course) {
    Json json = Json::array();
    for (const CoursePoint &point : course) {
        json.push_back({point.trials, point.seconds, point.best_ms});
    }
    return json;
}

std::vector<CoursePoint> course_of(const Json &json) {
    std::vector<CoursePoint> course;
    for (const Json &point : json) {
        course.push_back({.trials = point.at(0), .seconds = point.at(1), .best_ms = point.at(2)});
    }
    return course;
}

ContestRun run_of(const Json &json) {
    ContestRun run{.app = json.at("app"),
                   .strategy = json.at("strategy"),
                   .seed = json.at("seed"),
                   .settings = json.at("settings"),
                   .size = json.at("size"),
                   .device = json.at("device"),
                   .trials = json.at("trials"),
                   .measured = json.at("measured"),
                   .failed = json.at("failed"),
                   .different = json.at("different"),
                   .seconds = json.at("seconds"),
                   .build_s = json.at("build_s"),
                   .run_s = json.at("run_s"),
                   .train_s = json.at("train_s"),
                   .course = course_of(json.at("course")),
                   .untrained = predictions_of(json.at("untrained")),
                   .retrained = predictions_of(json.at("retrained")),
                   .best = time_of(json.at("best_ms")),
                   .winner = json.at("winner")};
    if (!json.at("untuned_ms").is_null()) run.untuned = time_of(json.at("untuned_ms"));
    return run;
}

}  // namespace

std::string to_string(const FailedRun &run) {
    return run.app + " " + run.strategy + ", seed " + std::to_string(run.seed) + ": " + run.why;
}

std::optional<FailedRun> parse_failed_run(std::string_view text) {
    constexpr std::string_view kSeed = ", seed ", kWhy = ": ";
    const size_t strategy = text.find(' ');
    const size_t seed = text.find(kSeed);
    const size_t why = text.find(kWhy, seed);
    if (strategy >= seed || seed == std::string_view::npos || why == std::string_view::npos) {
        return std::nullopt;
    }
    FailedRun run{.app = std::string(text.substr(0, strategy)),
                  .strategy = std::string(text.substr(strategy + 1, seed - strategy - 1)),
                  .why = std::string(text.substr(why + kWhy.size()))};
    const char *last = text.data() + why;
    const auto [end, code] = std::from_chars(text.data() + seed + kSeed.size(), last, run.seed);
    return code == std::errc() && end == last ? std::optional(std::move(run)) : std::nullopt;
}

std::string to_json(const ContestRun &run) {
    return dump({{"format", kFormat},
                 {"version", kVersion},
                 {"app", run.app},
                 {"strategy", run.strategy},
                 {"seed", run.seed},
                 {"settings", run.settings},
                 {"size", run.size},
                 {"device", run.device},
                 {"trials", run.trials},
                 {"measured", run.measured},
                 {"failed", run.failed},
                 {"different", run.different},
                 {"seconds", run.seconds},
                 {"build_s", run.build_s},
                 {"run_s", run.run_s},
                 {"train_s", run.train_s},
                 {"best_ms", json_of(run.best)},
                 {"untuned_ms", run.untuned ? json_of(*run.untuned) : Json()},
                 {"winner", run.winner},
                 {"course", json_of(run.course)},
                 {"untrained", json_of(run.untrained)},
                 {"retrained", json_of(run.retrained)}});
}

Result<ContestRun> parse_contest_run(std::string_view text) {
    const Json json = parse_loosely(text);
    if (!has_format(json, kFormat, kVersion)) {
        return Error{std::string("expected the format ") + kFormat + ", version 1"};
    }
    return read_fields<ContestRun>(json, "", [](const Json &fields) { return run_of(fields); });
}

}  // namespace autoschedule_gpu
